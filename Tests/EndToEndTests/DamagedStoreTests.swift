import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import XCTest

/// The store is damaged, moved or removed while the gateway has it open: its next file gets what was
/// stored since the last verification, and the ledger counts it once.
final class DamagedStoreTests: XCTestCase {
    private static let suffixes = ["", "-wal", "-shm"]

    /// Ids of records, by where they must be.
    private struct Stored {
        /// In the earlier store, and verified there.
        var verified: Set<RecordID>
        /// In the earlier store.
        var all: Set<RecordID>
    }

    private func send(_ lane: DurableLane, to gateway: RunningCommand) async throws {
        try await lane.devices.send(lines: 5, packets: 5)
        let isStored = try await lane.waitForStore(gateway)
        XCTAssertTrue(isStored)
    }

    /// Starts a gateway and has it store some records, of which it has verified the first.
    private func start(_ lane: DurableLane) async throws -> (RunningCommand, Stored) {
        let gateway = try lane.start()
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        try await send(lane, to: gateway)
        let verified = Set(try await lane.stored().map(\.id))
        // The sink is asked before the next batch, and then not for some minutes.
        for _ in 0..<2 { try await send(lane, to: gateway) }
        let all = Set(try await lane.stored().map(\.id))
        XCTAssertGreaterThan(all.count, verified.count)
        return (gateway, Stored(verified: verified, all: all))
    }

    private func path(_ lane: DurableLane) -> String { "\(lane.home.dataDirectory)/health.sqlite" }

    /// Moves the store away, as the manual says.
    private func moveAway(_ lane: DurableLane) throws {
        let folder = try lane.home.folder.makeFolder("corrupt")
        for suffix in Self.suffixes {
            rename(path(lane) + suffix, "\(folder)/health.sqlite\(suffix)")
        }
    }

    /// Sends until the sink reports the damage.
    private func waitForDamage(_ lane: DurableLane, _ gateway: RunningCommand) async throws {
        for _ in 0..<120 {
            try await lane.devices.send(lines: 1, packets: 1)
            let isFound = await gateway.waits(within: 0.25) {
                !$0.lines(of: .error, with: "store: cannot write").isEmpty
            }
            if isFound { return }
        }
        XCTFail("the damage was not found")
    }

    /// Sends something new, checks the status, stops, and compares the new store with the repository.
    private func finish(
        _ lane: DurableLane, _ gateway: RunningCommand, _ stored: Stored, wasKilled: Bool = false
    ) async throws {
        try await send(lane, to: gateway)
        let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isThere)
        let status = try await lane.home.run("status", "--json")
        let shown = try await lane.home.run("status").output
        try await lane.stop(gateway, "the end")
        let log = await gateway.text(of: .error)
        let new = Set(try await lane.stored().map(\.id))
        let published = Set(lane.repository.records.keys)
        XCTAssertEqual(published.subtracting(stored.verified).subtracting(new), [], log)
        let restored = new.intersection(stored.all).count
        XCTAssertGreaterThanOrEqual(restored, stored.all.subtracting(stored.verified).count)

        let ledger = try lane.home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        let outcome = ledger.sinks["store"]?.outcome
        XCTAssertEqual(outcome?.delivered, ledger.ingest.published, log)
        XCTAssertEqual(ledger.pending(for: "store"), 0)
        let lines = log.split(separator: "\n").filter { $0.contains("the store is new") }
        XCTAssertEqual(lines.count, 1, log)
        XCTAssertTrue(lines.first?.contains(" lost=0 onlyInEarlier=") ?? false, log)
        let word = lines.first?.split(separator: " ").first { $0.hasPrefix("records=") }
        let records = try XCTUnwrap(word.flatMap { Int($0.dropFirst("records=".count)) })
        // What came while the damage was not found yet is more; what a killed gateway did not save as
        // delivered is delivered for the first time.
        XCTAssertGreaterThan(records, 0)
        if !wasKilled { XCTAssertGreaterThanOrEqual(records, restored) }
        XCTAssertTrue(
            status.output.contains(#""restored":{"records":\#(records),"lost":0,"#), status.output)
        XCTAssertTrue(shown.contains("\(records) records were delivered again"), shown)
    }

    func testStoreThatIsCut_isFilledAgain() async throws {
        let lane = try DurableLane()
        let (gateway, stored) = try await start(lane)
        XCTAssertEqual(truncate(path(lane), 8_192), 0)
        try await waitForDamage(lane, gateway)
        try moveAway(lane)
        await gateway.send(SIGHUP)
        try await finish(lane, gateway, stored)
    }

    func testStoreWithOverwrittenPages_isFilledAgain() async throws {
        // The damage is found with the next batch.
        let lane = try DurableLane(store: "batch: { seconds: 1 }")
        let (gateway, stored) = try await start(lane)
        let file = open(path(lane), O_WRONLY)
        let bytes = [UInt8](repeating: 0x5A, count: 4_096)
        let end = Int(lseek(file, 0, SEEK_END))
        for offset in stride(from: 4_096, to: end, by: 4_096) {
            XCTAssertEqual(pwrite(file, bytes, bytes.count, off_t(offset)), bytes.count)
        }
        close(file)
        try await waitForDamage(lane, gateway)
        try moveAway(lane)
        await gateway.send(SIGHUP)
        try await finish(lane, gateway, stored)
    }

    func testStoreThatIsMovedAway_isFilledAgain() async throws {
        let lane = try DurableLane()
        let (gateway, stored) = try await start(lane)
        try moveAway(lane)
        try await finish(lane, gateway, stored)
    }

    func testStoreThatIsRemovedWhileTheGatewayIsKilled_isFilledAgain() async throws {
        let lane = try DurableLane()
        let (gateway, stored) = try await start(lane)
        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd()
        for suffix in Self.suffixes { unlink(path(lane) + suffix) }
        lane.devices.clearExclusiveUse()
        let next = try lane.start()
        try await next.waitForLines(2, with: ": connected", on: .error)
        try await finish(lane, next, stored, wasKilled: true)
    }

    func testCleanStop_deliversNothingAgain() async throws {
        let lane = try DurableLane()
        let (gateway, _) = try await start(lane)
        try await lane.stop(gateway, "the first")
        let ledger = try lane.home.ledger()
        XCTAssertEqual(ledger.sinks["store"]?.outcome.delivered, ledger.ingest.published)
        XCTAssertNil(ledger.sinks["store"]?.unverified)
    }
}
