import GatewayCore
import GatewayTesting
import Glibc
import XCTest

@testable import ControlSocket
@testable import GatewayHost
@testable import Platform

/// Tests of a command that waits for answers and keyboard input at the same time.
final class ControlClientTests: XCTestCase {
    /// The result as text.
    private func words(_ arrival: ControlClient.LineOrInputResult) -> String {
        switch arrival {
        case .lines(let lines): String(decoding: lines, as: UTF8.self)
        case .input: "input"
        case .end: "end"
        case .outputClosed: "reader left"
        case .nothing: "nothing"
        }
    }

    func testNextLines_waitsForLinesAndForInput() throws {
        let temporary = try TemporaryFolder()
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: temporary.path, name: DataFiles.control))
        let clock = SystemClock()
        var client = try ControlClient(
            DataDirectory(path: temporary.path), isSimulation: false, clock: clock)
        guard case .client(let gateway) = listener.accept() else { return XCTFail("no client") }
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(pipe(&ends), 0)
        defer { ends.forEach { close($0) } }

        XCTAssertEqual(
            words(try client.nextLines(orInput: ends[0], until: clock.now())), "nothing")
        XCTAssertEqual(gateway.write(Array("one\ntwo\nth".utf8)[...]), .wrote(10))
        XCTAssertEqual(words(try client.nextLines(orInput: ends[0], until: nil)), "one\ntwo\n")
        XCTAssertEqual(Glibc.write(ends[1], "p", 1), 1)
        XCTAssertEqual(words(try client.nextLines(orInput: ends[0], until: nil)), "input")
        // Unread input does not hide lines of the gateway after it was read.
        XCTAssertEqual(gateway.write(Array("ree\n".utf8)[...]), .wrote(4))
        XCTAssertEqual(words(try client.nextLines(orInput: ends[0], until: nil)), "input")
        XCTAssertEqual(SystemCall.read(ends[0], limit: 10).bytes, Array("p".utf8))
        XCTAssertEqual(words(try client.nextLines(orInput: ends[0], until: nil)), "three\n")
        gateway.shutDown()
        XCTAssertEqual(words(try client.nextLines(orInput: ends[0], until: nil)), "end")
    }

    func testInit_whileTheGatewayIsStopping_saysSo() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        func problem() -> String? {
            do throws(HostError) {
                _ = try ControlClient(folder, isSimulation: false, clock: SystemClock())
                return nil
            } catch {
                return error.text
            }
        }
        let lock = try DataDirectoryLock(folder)
        XCTAssertEqual(problem()?.contains("has no control.sock; wait until"), true)
        lock.noteStopping()
        XCTAssertEqual(
            problem(),
            "the gateway on \(temporary.path) (process \(getpid())) is stopping; "
                + "try again when it has stopped")
    }

    /// A gateway has the lock before its socket accepts connections.
    func testConnecting_whileTheGatewayIsStarting_waitsForItsSocket() async throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let lock = try DataDirectoryLock(folder)
        let clock = ManualClock()
        @Sendable func isConnected() async -> Bool {
            do throws(HostError) {
                _ = try await ControlClient.connecting(folder, isSimulation: false, clock: clock)
                return true
            } catch {
                return false
            }
        }
        async let late = isConnected()
        await clock.waitForSleepers(2)
        clock.advance(seconds: 5)
        let isLate = await late
        XCTAssertFalse(isLate)
        async let first = isConnected()
        await clock.waitForSleepers(2)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: temporary.path, name: DataFiles.control))
        let isFirst = await first
        XCTAssertTrue(isFirst)
        withExtendedLifetime((lock, listener)) {}
    }

    /// It was no gateway that starts, but another user of the directory.
    func testConnecting_whenTheLockIsReleased_waitsNoLonger() async throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        var lock: DataDirectoryLock? = try DataDirectoryLock(folder)
        let clock = ManualClock()
        let start = clock.now()
        async let problem = {
            do throws(HostError) {
                _ = try await ControlClient.connecting(folder, isSimulation: false, clock: clock)
                return ""
            } catch {
                return error.text
            }
        }()
        // One for the limit and one for the next look.
        await clock.waitForSleepers(2)
        withExtendedLifetime(lock) {}
        lock = nil
        clock.advance(seconds: 0.2)
        let text = await problem
        XCTAssertTrue(text.contains("no gateway is running"), text)
        XCTAssertLessThan(clock.now().seconds(since: start), 1)
    }

    func testAsk_whenTheGatewayStopsInstead_saysSo() throws {
        let temporary = try TemporaryFolder()
        let folder = DataDirectory(path: temporary.path)
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: temporary.path, name: DataFiles.control))
        let lock = try DataDirectoryLock(folder)
        for (isStopping, expected) in [(false, "closed the connection"), (true, "stopped before")] {
            var client = try ControlClient(folder, isSimulation: false, clock: SystemClock())
            guard case .client(let gateway) = listener.accept() else { return XCTFail("no client") }
            if isStopping { lock.noteStopping() }
            gateway.shutDown()
            do throws(HostError) {
                _ = try client.ask(ControlRequest("status"))
                XCTFail("answered")
            } catch {
                XCTAssertEqual(error.status, .unreachable)
                XCTAssertTrue(error.text.contains(expected), error.text)
            }
        }
    }

    func testNextLines_whenTheInputIsClosed_returnsInput() throws {
        let temporary = try TemporaryFolder()
        let listener = try LocalSocket.listen(
            at: SocketPath(folder: temporary.path, name: DataFiles.control))
        var client = try ControlClient(
            DataDirectory(path: temporary.path), isSimulation: false, clock: SystemClock())
        defer { _ = listener }
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(pipe(&ends), 0)
        close(ends[1])
        defer { close(ends[0]) }
        XCTAssertEqual(words(try client.nextLines(orInput: ends[0], until: nil)), "input")
    }
}
