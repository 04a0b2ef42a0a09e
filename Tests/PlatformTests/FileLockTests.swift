import GatewayCore
import GatewayTesting
import Glibc
import XCTest

@testable import Platform

final class FileLockTests: XCTestCase {
    private let clock = ManualClock()
    private var deadline: BootInstant { clock.now().adding(seconds: 5) }

    private func makeLock(_ path: String, _ kind: FileLock.Kind) throws -> FileLock {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw XCTSkip("cannot open \(path): \(errno)") }
        return FileLock(owning: opened, kind)
    }

    /// A lock that holds a file, and one that waits for it.
    private func makePair(
        _ folder: TemporaryFolder, _ kind: FileLock.Kind
    ) throws -> (holder: FileLock, other: FileLock) {
        let pair = (
            holder: try makeLock(folder.path("file"), kind),
            other: try makeLock(folder.path("file"), kind)
        )
        XCTAssertTrue(pair.holder.tryLock())
        XCTAssertFalse(pair.other.tryLock())
        return pair
    }

    func testLock_isAcquiredWhenTheOtherIsReleased() async throws {
        for kind in [FileLock.Kind.flock, .openFileDescription] {
            let (clock, deadline) = (clock, deadline)
            let folder = try TemporaryFolder()
            var (holder, other): (FileLock?, FileLock) = try makePair(folder, kind)
            async let isLocked = other.lock(until: deadline, on: clock)
            await clock.waitForSleepers(1)
            withExtendedLifetime(holder) {}
            holder = nil
            let result = await isLocked
            XCTAssertTrue(result)
            XCTAssertFalse(try makeLock(folder.path("file"), kind).tryLock())
        }
    }

    func testLock_endsAtTheDeadline_andUnlocksALateLock() async throws {
        for kind in [FileLock.Kind.flock, .openFileDescription] {
            let (clock, deadline) = (clock, deadline)
            let folder = try TemporaryFolder()
            var (holder, other): (FileLock?, FileLock) = try makePair(folder, kind)
            async let isLocked = other.lock(until: deadline, on: clock)
            await clock.waitForSleepers(1)
            clock.advance(seconds: 5)
            let result = await isLocked
            XCTAssertFalse(result)
            withExtendedLifetime(holder) {}
            holder = nil
            // The thread of `other` gets the lock now and must release it although the file stays
            // open.
            let third = try makeLock(folder.path("file"), kind)
            let real = SystemClock()
            let isFree = await third.lock(until: real.now().adding(seconds: 60), on: real)
            XCTAssertTrue(isFree)
            withExtendedLifetime(other) {}
        }
    }

    func testLock_endsWithTheTask() async throws {
        let folder = try TemporaryFolder()
        let (holder, other) = try makePair(folder, .flock)
        let task = Task { [clock, deadline] in await other.lock(until: deadline, on: clock) }
        await clock.waitForSleepers(1)
        task.cancel()
        let isLocked = await task.value
        XCTAssertFalse(isLocked)
        withExtendedLifetime(holder) {}
    }

    func testIsLocked_checksWithoutLocking() throws {
        let folder = try TemporaryFolder()
        var lock: FileLock? = try makeLock(folder.path("file"), .openFileDescription)
        let looker = open(folder.path("file"), O_RDONLY | O_CLOEXEC)
        defer { close(looker) }
        XCTAssertFalse(FileLock.isLocked(looker))
        XCTAssertEqual(lock?.tryLock(), true)
        XCTAssertTrue(FileLock.isLocked(looker))
        lock = nil
        XCTAssertFalse(FileLock.isLocked(looker))
    }
}
