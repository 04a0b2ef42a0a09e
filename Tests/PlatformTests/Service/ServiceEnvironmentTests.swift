import GatewayTesting
import XCTest

@testable import Platform

/// Tests of the variables of the service manager and of the messages to it.
final class ServiceEnvironmentTests: XCTestCase {
    private func environment(_ variables: [String: String]) -> ServiceEnvironment {
        ServiceEnvironment(Environment(variables: variables), processID: 42)
    }

    func testWatchdog_isForThisProcessOnly() {
        let socket = ["NOTIFY_SOCKET": "/run/systemd/notify", "WATCHDOG_USEC": "30000000"]
        XCTAssertEqual(environment(socket).watchdogMicroseconds, 30_000_000)
        let own = socket.merging(["WATCHDOG_PID": "42"]) { $1 }
        XCTAssertEqual(environment(own).watchdogMicroseconds, 30_000_000)
        let other = socket.merging(["WATCHDOG_PID": "43"]) { $1 }
        XCTAssertNil(environment(other).watchdogMicroseconds)
    }

    func testUnusableValues_countAsNotSet() {
        for value in [
            "", "0", "-1", "x", "1e9", "18446744073709551616", "9223372036854775807", "+8000000",
            " 8000000", "8000000 ", "8000000\n", "08000000", "٨",
        ] {
            let found = environment(["NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": value])
            XCTAssertNil(found.watchdogMicroseconds, value)
            XCTAssertEqual(found.invalidWatchdog, value.isEmpty ? nil : value)
            let foreign = environment(["WATCHDOG_USEC": value, "WATCHDOG_PID": "43"])
            XCTAssertNil(foreign.invalidWatchdog, value)
        }
        XCTAssertNil(environment(["WATCHDOG_USEC": "30000000"]).invalidWatchdog)
        XCTAssertNil(environment([:]).invalidWatchdog)
        let long = "/" + String(repeating: "x", count: 107)
        for value in ["", "/", "@", "relative", "vsock:2:1", long] {
            XCTAssertNil(environment(["NOTIFY_SOCKET": value]).socket, value)
        }
        XCTAssertNil(environment(["WATCHDOG_USEC": "1000"]).watchdogMicroseconds)
    }

    func testMessages_areThoseOfTheProtocol() {
        XCTAssertEqual(ServiceMessage.ready(status: "x").text, "READY=1\nSTATUS=x\n")
        XCTAssertEqual(
            ServiceMessage.reloading(monotonicMicroseconds: 7).text,
            "RELOADING=1\nMONOTONIC_USEC=7\n")
        XCTAssertEqual(ServiceMessage.stopping.text, "STOPPING=1\n")
        XCTAssertEqual(ServiceMessage.watchdog.text, "WATCHDOG=1\n")
        // A name with a line break must not become a message of its own.
        XCTAssertEqual(
            ServiceMessage.status("sinks: a\nMAINPID=1\u{2028}b").text,
            "STATUS=sinks: aMAINPID=1b\n"
        )
    }

    func testSend_reachesAPathAndAnAbstractName_andIgnoresAMissingOne() throws {
        let receiver = try NotifyReceiver()
        environment(["NOTIFY_SOCKET": receiver.path]).send(.watchdog)
        XCTAssertEqual(receiver.next(), "WATCHDOG=1\n")
        let abstract = try NotifyReceiver(isAbstract: true)
        environment(["NOTIFY_SOCKET": abstract.path]).send(.stopping)
        XCTAssertEqual(abstract.next(), "STOPPING=1\n")
        environment(["NOTIFY_SOCKET": "/nonexistent/notify"]).send(.watchdog)
    }
}
