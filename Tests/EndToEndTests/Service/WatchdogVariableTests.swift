import GatewayTesting
import Glibc
import XCTest

/// The variables of the watchdog as sd_watchdog_enabled(3) reads them.
final class WatchdogVariableTests: XCTestCase {
    private func warnings(_ variables: [String: String]) async throws -> [Substring] {
        var home = try Home()
        home.environment.merge(variables) { $1 }
        try home.configure(#"{ sources: { own: { use: "exec", command: ["/bin/cat"] } } }"#)
        let gateway = try home.start("run", "--for", "1")
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        return await gateway.lines(of: .error, with: "WATCHDOG_USEC")
    }

    func testValueThatIsNoTime_isAWarning_once() async throws {
        let receiver = try NotifyReceiver()
        for value in ["abc", "-1", "0", "18446744073709551616"] {
            let found = try await warnings(
                ["NOTIFY_SOCKET": receiver.path, "WATCHDOG_USEC": value])
            XCTAssertEqual(found.count, 1, "\(value): \(found)")
            XCTAssertEqual(found.first?.contains("no watchdog messages are sent"), true, "\(found)")
        }
        XCTAssertEqual(receiver.waiting().filter { $0.contains("WATCHDOG=1") }, [])
    }

    func testVariablesOfAnotherProcess_areIgnored() async throws {
        let receiver = try NotifyReceiver()
        for value in ["abc", "30000000"] {
            let found = try await warnings(
                ["NOTIFY_SOCKET": receiver.path, "WATCHDOG_USEC": value, "WATCHDOG_PID": "1"])
            XCTAssertEqual(found, [])
        }
        XCTAssertEqual(receiver.waiting().filter { $0.contains("WATCHDOG=1") }, [])
    }
}
