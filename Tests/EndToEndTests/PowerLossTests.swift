import Foundation
import GatewayCore
import GatewayTesting
import HTTPTesting
import HealthModel
import HealthStore
import JournalLog
import Platform
import XCTest

/// The power fails at any write of a whole run, from a trace of what the gateway wrote.
///
/// What the repository was sent was accepted before. With `durability: "powerLoss"` all of it is in the
/// store, or in the journal for the store.
final class PowerLossTests: XCTestCase {
    /// A run with some traffic; what it wrote.
    private func trace(durability: String) async throws -> (WriteTrace, Set<RecordID>, String) {
        let lane = try DurableLane(settings: "journal: { durability: \"\(durability)\" }")
        var home = lane.home
        let file = home.folder.path("trace")
        home.environment.merge(
            try WriteTrace.environment(file: file, path: home.dataDirectory)
        ) { $1 }
        let gateway = try home.start("run")
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        for round in 0..<25 {
            // Now and then records wait for the repository, in segments that the store has passed.
            let isAway = (8..<16).contains(round)
            lane.repository.set { _ in
                guard isAway else { return .keep }
                return .fail(.answer(ScriptedAnswer(status: 503, headers: [("Retry-After", "1")])))
            }
            try await lane.devices.send(lines: 20, packets: 5)
            await gateway.letRun(seconds: DurableLane.commitSeconds)
        }
        let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isThere)
        await gateway.send(SIGKILL)
        try await gateway.waitForEnd(within: 10)
        let trace = try WriteTrace(file: file)
        return (trace, Set(lane.repository.records.keys), home.dataDirectory)
    }

    /// Lets the power fail at places of a trace; the number of accepted records that are lost at each.
    private func losses(
        _ trace: WriteTrace, _ folder: String, at count: Int, _ random: inout SeededGenerator
    ) async throws -> [Int] {
        let places = Set(
            (0..<count).map { _ in
                Int.random(in: 0..<trace.operations.count, using: &random)
            })
        var disk = FragileDisk()
        var sent = SentIDs()
        var losses: [Int] = []
        for (place, operation) in trace.operations.enumerated() {
            if places.contains(place) {
                let left = try TemporaryFolder()
                try disk.leave(of: folder, in: left.path("data"), &random)
                let found = try await Self.recover(in: left.path("data"))
                losses.append(sent.ids.subtracting(found).count)
            }
            disk.apply(operation)
            if case .send(let bytes) = operation { sent.add(bytes) }
        }
        return losses
    }

    /// The ids in the store, and those of the journal that wait for it.
    private static func recover(in folder: String) async throws -> Set<RecordID> {
        var found: Set<RecordID> = []
        if let store = try? HealthStore(path: "\(folder)/health.sqlite") {
            for event in try await store.events() { found.insert(event.id) }
            for type in QuantityType.all where try await store.count(of: type) > 0 {
                let samples = try await store.samples(matching: SampleQuery(type: type))
                found.formUnion(samples.map(\.id))
            }
        }
        guard FileManager.default.fileExists(atPath: "\(folder)/journal") else { return found }
        let file = try LogJournalFile(path: "\(folder)/journal", durability: .crash)
        let ledger = try file.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        var cursor = ledger.sinks["store"]?.cursor ?? 0
        var decoder = RecordDecoder()
        while let slice = try file.read(after: cursor, limit: JournalReadLimit(count: 10_000)) {
            for line in slice.lines.bytes.split(separator: UInt8(ascii: "\n")) {
                found.insert(try decoder.decode(Array(line)).id)
            }
            cursor = slice.end
        }
        return found
    }

    func testPowerLoss_atAnyWrite_losesNothingThatWasAccepted() async throws {
        let (trace, records, folder) = try await trace(durability: "powerLoss")
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let count = 150 * FuzzFactor.current
        let losses = try await losses(trace, folder, at: count, &random)
        print("\(losses.count) of \(trace.operations.count) places, from seed \(seed)")
        XCTAssertEqual(losses.filter { $0 > 0 }, [], "seed \(seed)")
        XCTAssertEqual(Self.unsynchronizedEntries(trace, of: "\(folder)/journal"), [])
        // The trace shows what was accepted.
        var sent = SentIDs()
        for case .send(let bytes) in trace.operations { sent.add(bytes) }
        XCTAssertTrue(sent.ids.isSuperset(of: records))
    }

    /// The segments that got records before their entry in the folder was on the disk, which some file
    /// systems do not do with the content of the file.
    private static func unsynchronizedEntries(
        _ trace: WriteTrace, of folder: String
    ) -> [String] {
        var number: UInt64?
        var created: [UInt64: String] = [:]
        var segments = 0
        var found: [String] = []
        for operation in trace.operations {
            switch operation {
            case .createFolder(let inode, folder): number = inode
            case .createFile(let inode, let path)
            where path.hasPrefix("\(folder)/") && path.hasSuffix(".segment"):
                created[inode] = path
                segments += 1
            case .sync(let inode) where inode == number: created = [:]
            // At 0 is the first frame, which has no records.
            case .write(let inode, 1..., _):
                if let path = created.removeValue(forKey: inode) { found.append(path) }
            default: break
            }
        }
        XCTAssertGreaterThan(segments, 0)
        return found
    }

    /// The same without synchronization: the simulated disk shows that it is needed.
    func testCrashDurability_losesRecordsWithThePower() async throws {
        let (trace, _, folder) = try await trace(durability: "crash")
        var random = SeededGenerator(seed: 1)
        let losses = try await losses(trace, folder, at: 150, &random)
        XCTAssertGreaterThan(losses.max() ?? 0, 0)
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
