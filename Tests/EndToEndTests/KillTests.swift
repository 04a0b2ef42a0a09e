import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import Platform
import SQLite
import SQLiteJournal
import XCTest

/// What was accepted survives `kill -9`, at any moment, and is stored once.
///
/// Accepted is what anybody has seen outside of the process before it was killed: the journal's file, the
/// store, the repository, or whoever asked for its status. What was read and not committed is lost with it.
final class KillTests: XCTestCase {
    private static let kills = 20 * FuzzFactor.current
    /// The longest run before a kill, in milliseconds; until the devices are read it takes some 50.
    private static let longestRun = 400.0

    func testKilledAtRandomMoments_losesNothingAccepted_andStoresNothingTwice() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("kill -9, \(Self.kills) times, with seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let lane = try DurableLane()
        let devices = lane.devices
        let feeding = Task { try await devices.feed() }
        var accepted = Accepted()
        for kill in 1...Self.kills {
            let context = "seed \(seed), kill \(kill)"
            lane.repository.set(Self.answer(&random))
            // A store that is busy lets what is accepted wait in the journal.
            let lock = Int.random(in: 0..<4, using: &random) == 0 ? try Self.lock(lane) : nil
            defer { withExtendedLifetime(lock) {} }
            let gateway = try lane.start()
            let run = Double.random(in: 0...Self.longestRun, using: &random)
            await gateway.letRun(seconds: run / 1_000)
            if Bool.random(using: &random) {
                accepted.published =
                    ControlClient.published(in: lane.home.dataDirectory) ?? accepted.published
            }
            await gateway.send(SIGKILL)
            let ending = try await gateway.waitForEnd()
            XCTAssertEqual(ending, .killed(bySignal: SIGKILL), context)
            lane.devices.clearExclusiveUse()
            let journal = try Self.lookIntoJournal(of: lane)
            XCTAssertGreaterThanOrEqual(journal.published, accepted.published, context)
            accepted.published = journal.published
            accepted.ids.formUnion(journal.ids)
        }
        feeding.cancel()
        lane.repository.set { _ in .keep }
        try await lane.finish("seed \(seed)", awaiting: feeding)

        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(findings, [], "seed \(seed)")
        let stored = Set(lane.repository.records.keys)
        XCTAssertEqual(accepted.ids.subtracting(stored), [], "seed \(seed): accepted, not stored")
        XCTAssertGreaterThan(accepted.ids.count, 100, "seed \(seed): too little to mean anything")
        XCTAssertGreaterThan(kept.lines.count, 100, "seed \(seed): too little to mean anything")
        print(
            "of \(lane.devices.lineCount) lines \(kept.lines.count) were accepted,",
            "\(accepted.ids.count) records were seen waiting")
    }

    /// What was seen to be accepted, and must not be lost any more.
    private struct Accepted {
        var published: Int64 = 0
        var ids: Set<RecordID> = []
    }

    /// What the repository does for one run: most of the time it works.
    private static func answer(
        _ random: inout SeededGenerator
    ) -> @Sendable (Int) -> KeepingRepository.Answer {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return { _ in .fail(.answer(ScriptedAnswer(status: 503))) }
        case 1: return { _ in .keepUnsaid(.reset) }
        case 2: return { _ in .keepUnsaid(.silence) }
        case 3: return { $0 % 2 == 0 ? .keep : .fail(.close) }
        default: return { _ in .keep }
        }
    }

    /// Keeps others from writing to the store until the connection is released.
    private static func lock(_ lane: DurableLane) throws -> SQLiteConnection? {
        let path = "\(lane.home.dataDirectory)/health.sqlite"
        guard access(path, F_OK) == 0 else { return nil }
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.execute("BEGIN IMMEDIATE")
        return connection
    }

    /// How much was accepted, and what of it waits; read from a copy, so that the gateway finds its
    /// files as the kill left them.
    private static func lookIntoJournal(
        of lane: DurableLane
    ) throws -> (published: Int64, ids: [RecordID]) {
        let copy = try TemporaryFolder()
        for name in ["journal.sqlite", "journal.sqlite-wal"] {
            let path = "\(lane.home.dataDirectory)/\(name)"
            guard access(path, F_OK) == 0 else { continue }
            try FileManager.default.copyItem(atPath: path, toPath: copy.path(name))
        }
        // A kill may come before there is a journal at all.
        guard access(copy.path("journal.sqlite"), F_OK) == 0 else { return (0, []) }
        let file = try SQLiteJournalFile(path: copy.path("journal.sqlite"), durability: .crash)
        let ledger = try file.ledger()
        let cursor = ledger.sinks.values.map(\.cursor).min() ?? 0
        let slice = try file.read(after: cursor, limit: JournalReadLimit(count: .max))
        var decoder = RecordDecoder()
        let ids = try (slice?.lines.bytes ?? []).split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode($0).id
        }
        return (ledger.ingest.published, ids)
    }
}

extension NumberedDevices {
    /// Sends lines and a packet every few milliseconds, until it is cancelled.
    fileprivate func feed() async throws {
        let clock = SystemClock()
        while true {
            let next = clock.now().adding(nanoseconds: 10_000_000)
            // A task of its own, which is not cancelled: a line that ends in the middle would be lost.
            try await Task { try await send(lines: 3, packets: 1) }.value
            try await clock.sleep(until: next)
        }
    }
}
