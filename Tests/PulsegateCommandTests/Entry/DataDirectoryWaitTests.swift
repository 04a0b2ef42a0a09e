import GatewayTesting
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import Platform
@testable import PulsegateCommand

/// Tests of the wait for a data directory in use, on a manual clock.
final class DataDirectoryWaitTests: XCTestCase {
    private let clock = ManualClock()
    private var deadline: BootInstant { clock.now().adding(seconds: 15) }

    func testOutcome_whenTheLockIsReleased_isLocked() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        var holder: DataDirectoryLock? = try DataDirectoryLock(folder)
        let wait = DataDirectoryWait(folder, clock: clock)
        async let outcome = wait.outcome(until: deadline)
        await clock.waitForSleepers(1)
        withExtendedLifetime(holder) {}
        holder = nil
        guard case .locked(let lock) = try await outcome else { return XCTFail("not the lock") }
        XCTAssertThrowsError(try DataDirectoryLock(folder))
        withExtendedLifetime(lock) {}
    }

    func testOutcome_whenAGatewayListens_isGateway() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let holder = try DataDirectoryLock(folder)
        let wait = DataDirectoryWait(folder, clock: clock)
        async let outcome = wait.outcome(until: deadline)
        await clock.waitForSleepers(1)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: folder.path, name: DataFiles.control))
        guard case .gateway = try await outcome else { return XCTFail("not the gateway") }
        withExtendedLifetime((holder, listener)) {}
    }

    func testOutcome_whenAGatewayListenedBefore_isGateway() async throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let holder = try DataDirectoryLock(folder)
        let wait = DataDirectoryWait(folder, clock: clock)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: folder.path, name: DataFiles.control))
        guard case .gateway = try await wait.outcome(until: deadline) else {
            return XCTFail("not the gateway")
        }
        withExtendedLifetime((holder, listener)) {}
    }

    func testOutcome_atTheDeadline_isNil() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let holder = try DataDirectoryLock(folder)
        let wait = DataDirectoryWait(folder, clock: clock)
        async let outcome = wait.outcome(until: deadline)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 15)
        let result = try await outcome
        XCTAssertNil(result)
        withExtendedLifetime(holder) {}
    }
}
