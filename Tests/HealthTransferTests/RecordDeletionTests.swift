import GatewayTesting
import HealthModel
import SQLiteStore
import Synchronization
import Terminal
import XCTest

@testable import GatewayHost
@testable import HealthTransfer
@testable import Platform

/// Deletion in batches, with time for the writer of a running gateway between them.
final class RecordDeletionTests: XCTestCase {
    /// A clock on which each batch takes a while, that counts what is slept.
    private final class BatchClock: BootClock {
        static let batchNanoseconds: Int64 = 7_000_000
        private let state = Mutex((now: Int64(0), slept: [Int64]()))

        var slept: [Int64] { state.withLock { $0.slept } }

        func now() -> BootInstant {
            state.withLock { state in
                state.now += Self.batchNanoseconds
                return BootInstant(nanoseconds: state.now)
            }
        }

        func sleep(until deadline: BootInstant) async throws {
            state.withLock { $0.slept.append(deadline.nanoseconds - $0.now) }
        }
    }

    private func delete(_ count: Int, in folder: TemporaryFolder) async throws -> [Int64] {
        let store = try SQLiteStore(path: folder.path("health.sqlite"))
        let now = Instant(nanosecondsSince1970: 1_767_225_600_000_000_000)
        let records = try (0..<count).map { number in
            let time = now.adding(nanoseconds: Int64(number) * 1_000_000_000)
            return Record.sample(
                try QuantitySample(
                    id: RecordID.make(start: time, device: "d", stream: "s", key: 1),
                    type: .heartRate, start: time, end: time,
                    quantity: Quantity(60, .countPerMinute)))
        }
        _ = try await store.save(records)
        let clock = BatchClock()
        var deletion = RecordDeletion(
            store, DataDirectory(path: folder.path), at: now, expected: count, clock: clock,
            progress: ProgressLine(Environment(variables: [:]), clock: ManualClock()))
        try await deletion.delete(
            .matching(
                DeletionSelection.Conditions(StoreQuery(type: .quantity(.heartRate)))))
        XCTAssertEqual(deletion.count, count)
        return clock.slept
    }

    func testBatches_leaveTheStoreFreeForAsLong_whileAGatewayRuns() async throws {
        let folder = try TemporaryFolder()
        let lock = try DataDirectoryLock(DataDirectory(path: folder.path))
        let slept = try await delete(1_200, in: folder)
        XCTAssertEqual(slept, [BatchClock.batchNanoseconds, BatchClock.batchNanoseconds])
        withExtendedLifetime(lock) {}
    }

    func testBatches_doNotWait_withoutAGateway() async throws {
        let slept = try await delete(1_200, in: try TemporaryFolder())
        XCTAssertEqual(slept, [])
    }
}
