import Foundation
import GatewayTesting
import Glibc
import HealthModel
import Platform
import SQLiteStore
import XCTest

/// A backup while a gateway writes, and what a kill leaves.
final class BackupWhileRunningTests: XCTestCase {
    func testWhileAGatewayWrites_everythingAcceptedBeforeIsInIt() async throws {
        let lane = try DurableLane()
        let gateway = try lane.start()
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        let devices = lane.devices
        let feeding = Task { try await devices.feed() }
        let path = lane.home.folder.path("backup.tar")
        var restored: [[Record]] = []
        for _ in 0..<4 {
            await gateway.letRun(seconds: 0.3)
            // What anybody has seen outside of the gateway was accepted before.
            let before = Set(lane.repository.records.keys)
            let outcome = try await lane.home.run("backup", "--force", path)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            let new = try Home()
            try await BackupHomes.succeed(new, "restore", path)
            let records = try await Self.records(new)
            XCTAssertEqual(before.subtracting(records.map(\.id)), [])
            restored.append(records)
        }
        feeding.cancel()
        _ = await feeding.result
        let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isThere)
        try await lane.stop(gateway, "")
        let all = Dictionary(
            try await lane.stored().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        XCTAssertGreaterThan(restored.last?.count ?? 0, 10)
        for record in restored.joined() { XCTAssertEqual(all[record.id], record) }
    }

    private static func records(_ home: Home) async throws -> [Record] {
        let store = try SQLiteStore(readingFrom: "\(home.dataDirectory)/health.sqlite")
        var records = try await store.events().map { Record.event($0) }
        for type in QuantityType.all where try await store.count(of: type) > 0 {
            records += try await store.samples(matching: SampleQuery(type: type)).map {
                .sample($0)
            }
        }
        return records
    }

    func testKilledBackups_leaveNoHalfFile() async throws {
        let homes = try await BackupHomes(samples: 20_000)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("killed backups, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<8 * FuzzFactor.current {
            let command = try homes.old.start("backup", "--force", homes.backup)
            await command.letRun(seconds: Double.random(in: 0...0.6, using: &random))
            await command.send(SIGKILL)
            try await command.waitForEnd()
            guard FileManager.default.fileExists(atPath: homes.backup) else { continue }
            try await BackupHomes.succeed(homes.old, "restore", "--check", homes.backup)
        }
        try await BackupHomes.succeed(homes.old, "backup", "--force", homes.backup)
        try await BackupHomes.succeed(homes.old, "restore", "--check", homes.backup)
    }

    func testInterruptedBackup_leavesNothing_andEndsByTheSignal() async throws {
        let homes = try await BackupHomes(samples: 20_000)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("interrupted backups, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var endings: Set<String> = []
        for _ in 0..<10 * FuzzFactor.current {
            unlink(homes.backup)
            let command = try homes.old.start("backup", homes.backup)
            let hasBegun = await command.waits(within: RunningCommand.timeoutSeconds) { _ in
                !homes.drafts.isEmpty
            }
            guard hasBegun else { continue }
            await command.letRun(seconds: Double.random(in: 0...0.05, using: &random))
            await command.send(SIGINT)
            let ending = try await command.waitForEnd()
            endings.insert("\(ending)")
            XCTAssertTrue([.killed(bySignal: SIGINT), .exited(0)].contains(ending), "\(ending)")
            let exists = FileManager.default.fileExists(atPath: homes.backup)
            XCTAssertEqual(exists, ending == .exited(0), "seed \(seed)")
            XCTAssertEqual(homes.drafts, [], "seed \(seed)")
        }
        XCTAssertTrue(
            endings.contains("\(RunningCommand.Ending.killed(bySignal: SIGINT))"), "\(endings)")
    }

    func testKilledRestores_leaveNothingOrAll() async throws {
        let homes = try await BackupHomes(samples: 20_000)
        try await BackupHomes.succeed(homes.old, "backup", homes.backup)
        let seed = UInt64.random(in: 0...UInt64.max)
        print("killed restores, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<8 * FuzzFactor.current {
            let new = try Home()
            let command = try new.start("restore", homes.backup)
            await command.letRun(seconds: Double.random(in: 0...1, using: &random))
            await command.send(SIGKILL)
            let ending = try await command.waitForEnd()
            // Another command finishes a restore that was complete, and finds nothing otherwise.
            let check = try await new.run("check")
            XCTAssertEqual(check.ending, .exited(0), check.error)
            if FileManager.default.fileExists(atPath: "\(new.dataDirectory)/people.json") {
                try homes.assertRestored(new, "seed \(seed), \(ending)")
            } else {
                try await BackupHomes.succeed(new, "restore", homes.backup)
                try homes.assertRestored(new, "seed \(seed), again")
            }
        }
    }
}
