import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import HealthStore
import SQLite
import Serial
import XCTest

/// What was accepted survives `kill -9`, at any moment, and is stored once.
final class KillTests: XCTestCase {
    private static let kills = 10
    /// The longest run before a kill, in milliseconds; a start takes some 50 of them.
    private static let longestRun = 900.0

    func testKilledTenTimes_losesNothingAccepted_andStoresNothingTwice() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
              protocol: { use: "lines", preset: "steps" } } }, sinks: { store: "sqlite" } }
            """)
        let pedometer = FastPedometer(port: port)
        let device = Task { try await pedometer.run() }
        defer { device.cancel() }
        var accepted: Set<RecordID> = []
        var published: Int64 = 0
        for kill in 1...Self.kills {
            // Every other time the store is busy, so that what is accepted has to wait in the journal.
            let isStoreBusy = kill % 2 == 0
            let lock = try isStoreBusy ? Self.lockStore(of: home) : nil
            defer { withExtendedLifetime(lock) {} }
            let gateway = try home.start("run")
            if isStoreBusy { try await gateway.waitForLines(with: "connected", on: .error) }
            let run = Double.random(in: 50...Self.longestRun, using: &random)
            await gateway.letRun(seconds: run / 1000)
            await gateway.send(SIGKILL)
            let ending = try await gateway.waitForEnd()
            XCTAssertEqual(ending, .killed(bySignal: SIGKILL), "seed \(seed), kill \(kill)")
            port.clearExclusiveUse()
            let journal = try Self.lookIntoJournal(of: home)
            XCTAssertGreaterThanOrEqual(journal.published, published, "seed \(seed), kill \(kill)")
            published = journal.published
            accepted.formUnion(journal.records)
        }
        let last = try home.start("run")
        try await last.waitForLines(with: "foot: connected", on: .error)
        await last.letRun(seconds: 0.3)
        await last.send(SIGTERM)
        let ending = try await last.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0), "seed \(seed)")

        let ledger = try home.ledger()
        XCTAssertEqual(ledger.imbalances, [], "seed \(seed)")
        XCTAssertEqual(ledger.pending(for: "store"), 0, "seed \(seed)")
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, ledger.intake.published)
        let ids =
            try await home.samples(of: .stepCount).map(\.id) + home.events().map(\.id)
        XCTAssertEqual(Set(ids).count, ids.count, "seed \(seed): an id is stored twice")
        XCTAssertEqual(Int64(ids.count), ledger.intake.published, "seed \(seed)")
        XCTAssertEqual(accepted.subtracting(ids), [], "seed \(seed): accepted, but not stored")
        XCTAssertGreaterThan(accepted.count, 100, "seed \(seed): too little to mean anything")
        XCTAssertGreaterThan(ids.count, 1_000, "seed \(seed): too little to mean anything")
        print(
            "kill -9 with seed \(seed): \(ids.count) records, \(accepted.count) seen in the journal"
        )
    }

    /// Keeps others from writing to the store until the connection is released.
    private static func lockStore(of home: Home) throws -> SQLiteConnection? {
        let path = "\(home.dataFolder)/health.sqlite"
        guard access(path, F_OK) == 0 else { return nil }
        let connection = try SQLiteConnection(path: path, access: .readWrite)
        try connection.execute("BEGIN IMMEDIATE")
        return connection
    }

    /// How much was accepted, and what of it waits; read from a copy, so that the gateway finds its
    /// files as the kill left them.
    private static func lookIntoJournal(
        of home: Home
    ) throws -> (published: Int64, records: [RecordID]) {
        let copy = try TemporaryFolder()
        for name in ["journal.sqlite", "journal.sqlite-wal"] {
            let path = "\(home.dataFolder)/\(name)"
            guard access(path, F_OK) == 0 else { continue }
            try FileManager.default.copyItem(atPath: path, toPath: copy.path(name))
        }
        // A kill may come before there is a journal at all.
        guard access(copy.path("journal.sqlite"), F_OK) == 0 else { return (0, []) }
        let file = try SQLiteJournalFile(path: copy.path("journal.sqlite"), durability: .crash)
        let ledger = try file.ledger()
        let cursor = ledger.sinks["store"]?.cursor ?? 0
        let slice = try file.read(after: cursor, limit: JournalReadLimit(count: .max))
        var decoder = RecordDecoder()
        let records = try (slice?.lines.bytes ?? []).split(separator: UInt8(ascii: "\n")).map {
            try decoder.decode($0).id
        }
        return (ledger.intake.published, records)
    }
}

/// Prints 1,000 lines a second as long as somebody reads them.
private struct FastPedometer: Sendable {
    let port: PseudoTerminal

    func run() async throws {
        let clock = SystemClock()
        var steps = 0
        while true {
            let next = clock.now().adding(nanoseconds: 10_000_000)
            var lines: [UInt8] = []
            for _ in 0..<10 {
                steps += 1
                lines += Array("Steps: \(steps)\n".utf8)
            }
            try await port.send(lines)
            try await clock.sleep(until: next)
        }
    }
}
