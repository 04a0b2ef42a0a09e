import Foundation
import GatewayCore
import GatewayTesting
import HTTPTesting
import HealthModel
import JournalLog
import Platform
import SQLiteStore
import XCTest

/// The trace of a whole run of one gateway after the other, and what is left when the power fails in it.
struct PowerLossRun {
    let trace: WriteTrace
    /// The records that the repository has.
    let records: Set<RecordID>
    /// The data directory.
    let folder: String

    /// Lets gateways run with some traffic, one after the other; they are killed and stopped in turns.
    ///
    /// - Parameter isLarge: Whether segments are to get full.
    init(
        durability: String, lives: Int = 1, rounds: Int = 9, isLarge: Bool = false
    ) async throws {
        let lane = try DurableLane(settings: "journal: { durability: \"\(durability)\" }")
        folder = lane.home.dataDirectory
        // On a small disk segments are small, so that they get full.
        let disk =
            isLarge
            ? try SmallDisk(
                "tmpfs", at: lane.home.folder.makeFolder("data"), kibibytes: 12 << 10) : nil
        defer { disk?.unmount() }
        var home = lane.home
        let file = home.folder.path("trace")
        home.environment.merge(try WriteTrace.environment(file: file, path: folder)) { $1 }
        for life in 1...lives {
            lane.devices.clearExclusiveUse()
            let gateway = try home.start("run")
            try await gateway.waitForLines(2, with: ": connected", on: .error)
            try await Self.send(rounds, of: isLarge ? 60 : 20, to: gateway, lane)
            let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
            XCTAssertTrue(isThere)
            await gateway.send(life % 2 == 0 ? SIGTERM : SIGKILL)
            try await gateway.waitForEnd(within: 10)
        }
        trace = try WriteTrace(file: file)
        records = Set(lane.repository.records.keys)
    }

    /// Sends lines and packets; in the middle records wait for the repository.
    private static func send(
        _ rounds: Int, of lines: Int, to gateway: RunningCommand, _ lane: DurableLane
    ) async throws {
        for round in 0..<rounds {
            let isAway = (rounds / 3..<rounds * 2 / 3).contains(round)
            lane.repository.set { _ in
                guard isAway else { return .keep }
                return .fail(.answer(ScriptedAnswer(status: 503, headers: [("Retry-After", "1")])))
            }
            try await lane.devices.send(lines: lines, packets: lines / 4)
            await gateway.letRun(seconds: DurableLane.commitSeconds)
        }
    }

    /// The ids of all records that were sent, also when no answer came.
    var sentIDs: Set<RecordID> {
        var sent = SentIDs()
        for case .send(let bytes) in trace.operations { sent.add(bytes) }
        return sent.ids
    }

    /// The number of segments that were made.
    var segmentCount: Int {
        trace.operations.count {
            if case .createFile(_, let path) = $0 { path.hasSuffix(".segment") } else { false }
        }
    }

    /// How often the power is to fail at which places: at any places, or at every one.
    func checks(_ count: Int, _ random: inout SeededGenerator) -> [Int: Int] {
        let places = trace.operations.count
        var checks: [Int: Int] = [:]
        if count >= places { for place in 0..<places { checks[place] = count / places } }
        for _ in 0..<count % places {
            checks[Int.random(in: 0..<places, using: &random), default: 0] += 1
        }
        return checks
    }

    /// Lets the power fail at places of the trace; what is missing then.
    func findings(
        _ checks: [Int: Int], _ random: inout SeededGenerator
    ) async throws -> [String] {
        var disk = FragileDisk()
        var strictDisk = FragileDisk(isStrict: true)
        var sent = SentIDs()
        var findings: [String] = []
        for (place, operation) in trace.operations.enumerated() {
            for number in 0..<(checks[place] ?? 0) {
                let left = try TemporaryFolder()
                let isStrict = (place + number) % 2 == 0
                try (isStrict ? strictDisk : disk).leave(of: folder, in: left.path("data"), &random)
                let found = try await RecoveredRecords(in: left.path("data"))
                findings += found.findings(sent.ids).map {
                    "\($0) at place \(place)\(isStrict ? " of a strict disk" : "")"
                }
            }
            disk.apply(operation)
            strictDisk.apply(operation)
            if case .send(let bytes) = operation { sent.add(bytes) }
        }
        return findings
    }
}

/// The records that the next gateway finds.
private struct RecoveredRecords {
    /// The ids in the store.
    private var stored: Set<RecordID> = []
    /// The ids in the journal that wait for a sink.
    private var waiting: [String: Set<RecordID>] = [:]
    private var hasJournal = false
    private var problems: [String] = []

    init(in folder: String) async throws {
        try await readStore("\(folder)/health.sqlite")
        guard FileManager.default.fileExists(atPath: "\(folder)/journal") else { return }
        hasJournal = true
        try readJournal("\(folder)/journal")
    }

    private mutating func readStore(_ path: String) async throws {
        guard let store = try? SQLiteStore(path: path) else { return }
        for event in try await store.events() { stored.insert(event.id) }
        for type in QuantityType.all where try await store.count(of: type) > 0 {
            let samples = try await store.samples(matching: SampleQuery(type: type))
            stored.formUnion(samples.map(\.id))
        }
    }

    private mutating func readJournal(_ path: String) throws {
        let file = try LogJournalFile(path: path, durability: .crash)
        let ledger = try file.ledger()
        problems += ledger.imbalances
        for sink in ["store", "repository"] {
            var cursor = ledger.sinks[sink]?.cursor ?? 0
            var decoder = RecordDecoder()
            while let slice = try file.read(after: cursor, limit: JournalReadLimit(count: 10_000)) {
                for line in slice.lines.bytes.split(separator: UInt8(ascii: "\n")) {
                    waiting[sink, default: []].insert(try decoder.decode(Array(line)).id)
                }
                cursor = slice.end
            }
        }
    }

    /// What is missing, when these records were sent.
    func findings(_ sent: Set<RecordID>) -> [String] {
        let lost = sent.subtracting(stored).subtracting(waiting["store"] ?? [])
        let unsent = stored.subtracting(sent).subtracting(waiting["repository"] ?? [])
        var findings = problems
        if !lost.isEmpty { findings.append("\(lost.count) accepted records are lost") }
        if hasJournal, !unsent.isEmpty {
            findings.append("\(unsent.count) records are lost for the repository")
        }
        return findings
    }
}

/// The ids of records in what was sent, also when a send ends within one.
private struct SentIDs {
    private(set) var ids: Set<RecordID> = []
    private var rest: [UInt8] = []
    private static let key = Array("\"id\":\"".utf8)
    private static let idLength = 36

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        rest += bytes
        var start = 0
        let length = Self.key.count + Self.idLength
        while start + length <= rest.count {
            guard rest[start..<(start + Self.key.count)].elementsEqual(Self.key) else {
                start += 1
                continue
            }
            let text = String(
                decoding: rest[(start + Self.key.count)..<(start + length)], as: UTF8.self)
            if let id = RecordID(uuidString: text) { ids.insert(id) }
            start += length
        }
        rest.removeFirst(min(start, rest.count))
    }
}
