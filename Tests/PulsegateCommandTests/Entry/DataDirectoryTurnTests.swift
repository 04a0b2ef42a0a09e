import GatewayTesting
import XCTest

@testable import ControlSocket
@testable import GatewayCore
@testable import GatewayHost
@testable import Platform
@testable import PulsegateCommand

/// What a command waits for while somebody else has the data directory, on a clock that stands still.
final class DataDirectoryTurnTests: XCTestCase {
    private let clock = ManualClock()
    private var deadline: BootInstant { clock.now().adding(seconds: 15) }

    func testWait_takesTheLock_whenTheOtherEnds() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        var holder: DataDirectoryLock? = try DataDirectoryLock(folder)
        let turn = DataDirectoryTurn(folder, clock: clock)
        async let waited = turn.wait(until: deadline)
        await clock.waitForSleepers(1)
        withExtendedLifetime(holder) {}
        holder = nil
        guard case .own(let lock) = try await waited else { return XCTFail("not the lock") }
        XCTAssertThrowsError(try DataDirectoryLock(folder))
        withExtendedLifetime(lock) {}
    }

    func testWait_endsWhenAGatewayListens() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let holder = try DataDirectoryLock(folder)
        let turn = DataDirectoryTurn(folder, clock: clock)
        async let waited = turn.wait(until: deadline)
        await clock.waitForSleepers(1)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: folder.path, name: DataFiles.control))
        guard case .gateway = try await waited else { return XCTFail("not the gateway") }
        withExtendedLifetime((holder, listener)) {}
    }

    func testWait_noticesAGatewayThatListenedBefore() async throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let holder = try DataDirectoryLock(folder)
        let turn = DataDirectoryTurn(folder, clock: clock)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: folder.path, name: DataFiles.control))
        guard case .gateway = try await turn.wait(until: deadline) else {
            return XCTFail("not the gateway")
        }
        withExtendedLifetime((holder, listener)) {}
    }

    func testWait_endsAtTheDeadline() async throws {
        let (clock, deadline) = (clock, deadline)
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let holder = try DataDirectoryLock(folder)
        let turn = DataDirectoryTurn(folder, clock: clock)
        async let waited = turn.wait(until: deadline)
        await clock.waitForSleepers(1)
        clock.advance(seconds: 15)
        let result = try await waited
        XCTAssertNil(result)
        withExtendedLifetime(holder) {}
    }
}
