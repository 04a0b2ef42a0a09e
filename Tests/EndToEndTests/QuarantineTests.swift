import GatewayTesting
import Glibc
import Serial
import XCTest

/// Adapters that crash the gateway: the next start names the device, and the one after the second
/// crash does not read it.
final class QuarantineTests: XCTestCase {
    private struct Ports {
        let foot: PseudoTerminal
        let wrong: PseudoTerminal

        init() throws {
            foot = try PseudoTerminal()
            wrong = try PseudoTerminal()
        }

        /// Lets the ports be opened again after a gateway that was killed.
        func clearExclusiveUse() {
            foot.clearExclusiveUse()
            wrong.clearExclusiveUse()
        }
    }

    private func makeHome(_ protocolName: String, _ ports: Ports) throws -> Home {
        var home = try Home()
        home.commandName = "pulsegate-wrong-plugins"
        try home.configure(
            """
            { sources: {
                wrong: { use: "serial", port: { path: "\(ports.wrong.slavePath)" },
                  protocol: "\(protocolName)" },
                foot: { use: "serial", port: { path: "\(ports.foot.slavePath)" },
                  protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite", lines: "stdout" } }
            """)
        return home
    }

    /// Runs until the wrong device ends it; returns the log.
    private func crash(_ home: Home, _ ports: Ports) async throws -> String {
        let gateway = try home.start("run")
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        try ports.wrong.write([1, 2, 3])
        let ending = try await gateway.waitForEnd(within: 30)
        let log = await gateway.text(of: .error)
        guard case .killed = ending else {
            XCTFail("\(ending): \(log)")
            return log
        }
        ports.clearExclusiveUse()
        return log
    }

    func testCrashes_putTheDeviceInQuarantine_untilItIsAdopted() async throws {
        for name in ["traps", "outOfBounds", "stackOverflow"] {
            let ports = try Ports()
            let (foot, wrong) = (ports.foot, ports.wrong)
            let home = try makeHome(name, ports)
            let first = try await crash(home, ports)
            XCTAssertFalse(first.contains("the last run crashed"), first)
            let second = try await crash(home, ports)
            let note =
                "wrong: the last run crashed while decoding the data of a device "
                + "device=\(wrong.slavePath)"
            XCTAssertTrue(second.contains(note), "\(name): \(second)")

            let gateway = try home.start("run")
            try await gateway.waitForLines(
                with: "in quarantine device=\(wrong.slavePath)", on: .error)
            try await gateway.waitForLines(with: "foot: connected", on: .error)
            try foot.write(Array("Steps: 100\r\nSteps: 104\r\n".utf8))
            try await gateway.waitForLines(with: #""type":"stepCount""#, on: .output)
            let status = try await home.run("status")
            XCTAssertTrue(status.output.contains("quarantined"), status.output)
            XCTAssertTrue(
                status.output.contains("pulsegate adopt \(wrong.slavePath)"), status.output)

            let adoption = try await home.run("adopt", wrong.slavePath)
            XCTAssertEqual(adoption.ending, .exited(0), adoption.error)
            XCTAssertTrue(adoption.output.contains("released from quarantine"), adoption.output)
            try await gateway.waitForLines(with: "wrong: connected", on: .error)
            await gateway.send(SIGTERM)
            let ending = try await gateway.waitForEnd(within: 10)
            XCTAssertEqual(ending, .exited(0))
        }
    }

    func testAnEndFromOutside_isNoCrashOfTheDevice() async throws {
        let ports = try Ports()
        let home = try makeHome("blocks", ports)
        for _ in 0..<3 {
            let gateway = try home.start("run")
            try await gateway.waitForLines(2, with: ": connected", on: .error)
            try ports.wrong.write([1])
            try await gateway.waitForLines(with: "does not return", on: .error)
            await gateway.send(SIGKILL)
            try await gateway.waitForEnd(within: 10)
            let log = await gateway.text(of: .error)
            XCTAssertFalse(log.contains("crashed"), log)
            ports.clearExclusiveUse()
        }
    }
}
