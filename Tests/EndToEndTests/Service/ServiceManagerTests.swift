import Foundation
import GatewayTesting
import Glibc
import Serial
import XCTest

/// The gateway as a service of systemd: what it reports to the service manager.
final class ServiceManagerTests: XCTestCase {
    private func makeHome(
        _ port: PseudoTerminal, _ receiver: NotifyReceiver?, sources: String = ""
    ) throws -> Home {
        var home = try Home()
        home.environment["NOTIFY_SOCKET"] = receiver?.path
        try home.configure(
            """
            { people: { ada: {} }, devices: { "\(port.slavePath)": { person: "ada" } },
              sources: { \(sources) foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite" } }
            """)
        return home
    }

    func testRun_reportsStartReloadAndStop() async throws {
        for isAbstract in [false, true] {
            let receiver = try NotifyReceiver(isAbstract: isAbstract)
            let port = try PseudoTerminal()
            let home = try makeHome(port, receiver)
            let gateway = try home.start("run")
            let ready = try XCTUnwrap(receiver.next())
            XCTAssertTrue(ready.hasPrefix("READY=1\nSTATUS=devices: "), ready)
            XCTAssertTrue(ready.hasSuffix("sinks: store ok\n"), ready)
            XCTAssertFalse(ready.contains("ada"), ready)
            // The control socket is open.
            let status = try await home.run("status")
            XCTAssertEqual(status.ending, .exited(0), status.error)

            await gateway.send(SIGHUP)
            let reloading = try XCTUnwrap(receiver.next())
            XCTAssertTrue(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="), reloading)
            let again = try XCTUnwrap(receiver.next())
            XCTAssertTrue(again.hasPrefix("READY=1\n"), again)

            // A reload that fails is over, too.
            try home.configure("{ sinks: 1 }")
            await gateway.send(SIGHUP)
            XCTAssertEqual(receiver.next()?.hasPrefix("RELOADING=1\n"), true)
            XCTAssertEqual(receiver.next()?.hasPrefix("READY=1\n"), true)

            await gateway.send(SIGTERM)
            XCTAssertEqual(receiver.next(), "STOPPING=1\n")
            let ending = try await gateway.waitForEnd()
            XCTAssertEqual(ending, .exited(0))
            XCTAssertEqual(receiver.waiting(), [])
        }
    }

    func testServiceWithoutADevice_runs_andReadsTheFirstThatIsAdopted() async throws {
        let receiver = try NotifyReceiver()
        let port = try PseudoTerminal()
        let home = try makeHome(port, receiver)
        try home.configure("{}")
        let gateway = try home.start("run")
        XCTAssertEqual(
            receiver.next(), "READY=1\nSTATUS=devices: 0 of 0 connected; sinks: store ok\n")
        try await gateway.waitForLines(with: "nothing to read yet", on: .error)
        let adoption = try await home.run(
            "adopt", port.slavePath, "--protocol", #"{ use: "lines", preset: "steps" }"#)
        XCTAssertEqual(adoption.ending, .exited(0), adoption.error)
        try await gateway.waitForLines(with: ": connected device=\(port.slavePath)", on: .error)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }

    func testWrongConfiguration_isNoStart() async throws {
        let receiver = try NotifyReceiver()
        let home = try makeHome(try PseudoTerminal(), receiver)
        try home.configure("{ sinks: 1 }")
        let outcome = try await home.run("run")
        XCTAssertEqual(outcome.ending, .exited(78))
        XCTAssertEqual(receiver.waiting(), [])
    }

    func testWithoutAServiceManager_nothingAsksTheLoops() async throws {
        let port = try PseudoTerminal()
        var home = try makeHome(port, nil)
        home.environment["WATCHDOG_USEC"] = "1000000"
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        XCTAssertFalse(try gateway.threadNames().contains("progress"))
        await gateway.send(SIGTERM)
        try await gateway.waitForEnd()
    }

    func testProgram_getsNoneOfTheVariables() async throws {
        let receiver = try NotifyReceiver()
        let port = try PseudoTerminal()
        var home = try makeHome(
            port, receiver,
            sources: #"mine: { use: "exec", command: ["/bin/sh", "-c", "env >&2; exec cat"] },"#)
        home.environment["WATCHDOG_USEC"] = "60000000"
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "PATH=", on: .error)
        await gateway.send(SIGTERM)
        try await gateway.waitForEnd()
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("NOTIFY_SOCKET"), log)
        XCTAssertFalse(log.contains("WATCHDOG"), log)
    }
}
