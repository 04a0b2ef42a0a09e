import Foundation
import GatewayTesting
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import Platform

final class DataDirectoryLockTests: XCTestCase {
    private let clock = ManualClock()
    private var deadline: BootInstant { clock.now().adding(seconds: 15) }

    private func assertInUse(_ folder: DataDirectory, line: UInt = #line) {
        XCTAssertThrowsError(try DataDirectoryLock(folder), line: line) { error in
            let message = (error as? HostError)?.text ?? ""
            XCTAssertTrue(
                message.contains("in use by a running gateway (process \(getpid()))"), message,
                line: line)
        }
    }

    func testLock_isExclusive_andNamesItsOwner() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        XCTAssertNil(DataDirectoryLock.owner(of: folder))
        var lock: DataDirectoryLock? = try DataDirectoryLock(folder)
        XCTAssertEqual(DataDirectoryLock.owner(of: folder), " (process \(getpid()))")
        assertInUse(folder)
        withExtendedLifetime(lock) {}
        lock = nil
        XCTAssertNil(DataDirectoryLock.owner(of: folder))
    }

    func testStopping_isNoted_untilTheNextGatewayHasTheLock() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        XCTAssertFalse(DataDirectoryLock.isStopping(folder))
        var lock: DataDirectoryLock? = try DataDirectoryLock(folder)
        XCTAssertFalse(DataDirectoryLock.isStopping(folder))
        lock?.noteStopping()
        XCTAssertTrue(DataDirectoryLock.isStopping(folder))
        XCTAssertEqual(DataDirectoryLock.owner(of: folder), " (process \(getpid()))")
        lock = nil
        XCTAssertFalse(DataDirectoryLock.isStopping(folder), "no gateway runs")
        lock = try DataDirectoryLock(folder)
        XCTAssertFalse(DataDirectoryLock.isStopping(folder), "a new one runs")
        withExtendedLifetime(lock) {}
    }

    func testLock_isNotDisturbedByQueries() async throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        _ = try DataDirectoryLock(folder)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...3 {
                group.addTask {
                    for _ in 1...5_000 { _ = DataDirectoryLock.owner(of: folder) }
                }
            }
            group.addTask { for _ in 1...2_000 { _ = try DataDirectoryLock(folder) } }
            try await group.waitForAll()
        }
    }

    func testWait_whenTheOwnerEnds_acquiresTheLock() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        var holder: DataDirectoryLock? = try DataDirectoryLock(folder)
        async let waited = DataDirectoryLock.wait(for: folder, until: deadline, on: clock)
        await clock.waitForSleepers(1)
        withExtendedLifetime(holder) {}
        holder = nil
        let lock = try await waited
        XCTAssertNotNil(lock)
        assertInUse(folder)
    }

    func testWait_endsAtTheDeadline() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let holder = try DataDirectoryLock(folder)
        async let waited = DataDirectoryLock.wait(for: folder, until: deadline, on: clock)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 15)
        let lock = try await waited
        XCTAssertNil(lock)
        withExtendedLifetime(holder) {}
    }

    func testWait_forARemovedFile_acquiresTheNewOne() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        var holder: DataDirectoryLock? = try DataDirectoryLock(folder)
        async let waited = DataDirectoryLock.wait(for: folder, until: deadline, on: clock)
        await clock.waitForSleepers(1)
        XCTAssertEqual(unlink(folder.resolve(DataFiles.lock)), 0)
        withExtendedLifetime(holder) {}
        holder = nil
        let lock = try await waited
        XCTAssertNotNil(lock)
        assertInUse(folder)
    }

    func testReacquire_afterTheFileWasRemoved_isExclusive() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path("data"))
        try folder.create()
        let lock = try DataDirectoryLock(folder)
        try FileManager.default.removeItem(atPath: folder.path)
        try lock.reacquireIfRemoved()
        assertInUse(folder)
        withExtendedLifetime(lock) {}
    }
}
