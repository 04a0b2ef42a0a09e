import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import SQLiteStore
import Synchronization
import XCTest

/// The whole durable lane in a home of its own: two numbered devices, the built gateway, its store, and
/// a repository.
final class DurableLane: Sendable {
    /// How long it takes until what was received is committed, and a little more, in seconds.
    static let commitSeconds = 0.15

    let home: Home
    let devices: NumberedDevices
    let repository: KeepingRepository
    let server: ScriptedHTTPServer
    /// The first line that each gateway may have read: its counting begins there.
    private let firstLines = Mutex<Set<Int>>([])

    /// - Parameters:
    ///   - store: Further settings of the store's sink.
    ///   - http: Further settings of the repository's sink.
    ///   - sinks: Further sinks, each with a comma behind it.
    ///   - settings: What else the configuration says.
    init(
        _ repository: KeepingRepository = KeepingRepository(), store: String = "",
        http: String = "", sinks: String = "", settings: String = ""
    ) throws {
        home = try Home()
        devices = try NumberedDevices()
        self.repository = repository
        server = try repository.makeServer()
        try home.configure(
            """
            { sources: { \(devices.sources) },
              sinks: { store: { use: "sqlite", \(store) }, \(sinks)
                repository: { use: "http", url: "\(server.url("/v1/samples"))", \(http) } },
              \(settings) }
            """)
    }

    /// Starts a gateway, which may be made to fail, with more variables.
    func start(
        _ faults: Faults? = nil, environment: [String: String] = [:]
    ) throws -> RunningCommand {
        firstLines.withLock { _ = $0.insert(devices.lineCount) }
        var home = home
        home.environment.merge(environment) { $1 }
        if let faults { home.environment.merge(try faults.environment()) { $1 } }
        return try home.start("run")
    }

    /// Waits until the gateway reads both devices; false when it ends before, or cannot.
    func waitForDevices(_ gateway: RunningCommand, within seconds: Double) async -> Bool {
        await gateway.waits(within: seconds) {
            $0.lines(of: .error, with: ": connected").count >= 2
        }
    }

    /// Waits until the repository has the last that was sent; false when the gateway ends before.
    func waitForLast(_ gateway: RunningCommand, within seconds: Double) async -> Bool {
        let (line, packet) = (devices.lineCount - 1, devices.packetCount - 1)
        return await gateway.waits(within: seconds) { [self] _ in
            let kept = KeptNumbers(repository.records.values, of: devices)
            return kept.lines.last == line && kept.packets.last == packet
        }
    }

    /// Waits until the store has the last that was sent; false when it takes too long.
    func waitForStore(_ gateway: RunningCommand) async throws -> Bool {
        let (line, packet) = (devices.lineCount - 1, devices.packetCount - 1)
        for _ in 0..<Int(RunningCommand.timeoutSeconds / Self.commitSeconds) {
            await gateway.letRun(seconds: Self.commitSeconds)
            // The gateway may not have made it yet.
            guard let records = try? await stored() else { continue }
            let kept = KeptNumbers(records, of: devices)
            if kept.lines.last == line, kept.packets.last == packet { return true }
        }
        return false
    }

    /// Lets a sound gateway bring everything to its sinks, with something new, and stops it.
    ///
    /// What still sends is awaited when the gateway reads.
    func finish(
        _ context: String, awaiting feeding: Task<Void, any Error>? = nil,
        file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        devices.clearExclusiveUse()
        let gateway = try start()
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        _ = await feeding?.result
        try await devices.send(lines: 3, packets: 3)
        let isThere = await waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        let log = await gateway.text(of: .error)
        XCTAssertTrue(isThere, "\(context): the last did not come: \(log)", file: file, line: line)
        try await stop(gateway, context, file: file, line: line)
    }

    /// Stops a gateway that is sound.
    func stop(
        _ gateway: RunningCommand, _ context: String, file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0), context, file: file, line: line)
    }

    /// All that the store has.
    func stored() async throws -> [Record] {
        let store = try SQLiteStore(readingFrom: "\(home.dataDirectory)/health.sqlite")
        var records = try await store.events().map { Record.event($0) }
        for type in QuantityType.all where try await store.count(of: type) > 0 {
            let samples = try await store.samples(matching: SampleQuery(type: type))
            records += samples.map { Record.sample($0) }
        }
        return records
    }

    /// The lines that make samples when nothing is lost between the devices and the journal.
    var linesToKeep: [Int] {
        let first = firstLines.withLock { $0 }
        return (0..<devices.lineCount).filter { !first.contains($0) }
    }

    /// What is wrong with what was kept, when everything has been delivered; the gateway has ended.
    ///
    /// The store and the repository have the same, all of it comes from what was sent, nothing is there
    /// twice, and the ledger closes.
    func audit(mayHaveLost: Bool = false) async throws -> (findings: [String], kept: KeptNumbers) {
        let stored = try await stored()
        let byID = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
        let kept = KeptNumbers(stored, of: devices)
        var findings = repository.findings + kept.findings
        if byID.count != stored.count { findings.append("the store has an id twice") }
        findings += Self.differences(between: byID, and: repository.records)
        let ledger = try home.ledger()
        findings += ledger.imbalances
        for name in ["store", "repository"] {
            let outcome = ledger.sinks[name]?.outcome ?? Ledger.Outcome()
            let isWhole = outcome.delivered == ledger.ingest.published && outcome.lost == 0
            if ledger.pending(for: name) != 0 { findings.append("something waits for \(name)") }
            if !mayHaveLost, !isWhole { findings.append("\(name) did not get all: \(outcome)") }
        }
        if !mayHaveLost, Int64(stored.count) != ledger.ingest.published {
            findings.append("\(ledger.ingest.published) published, \(stored.count) stored")
        }
        return (findings, kept)
    }

    private static func differences(
        between store: [RecordID: Record], and repository: [RecordID: Record]
    ) -> [String] {
        let missing = Set(store.keys).symmetricDifference(repository.keys).map {
            "\($0) is missing in the \(store[$0] == nil ? "store" : "repository")"
        }
        let different = store.filter { repository[$0.key] ?? $0.value != $0.value }.map {
            "\($0.key) is different in the repository"
        }
        return (missing + different).sorted()
    }
}
