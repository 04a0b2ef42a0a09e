import Bluetooth
import BluetoothTesting
import ByteDecoding
import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Serial
import XCTest

@testable import Exec

/// Tests of programs that decode for a device, with a whole gateway and a pseudo-terminal or a fake BlueZ.
final class DecoderTests: XCTestCase {
    private static func example(_ name: String) -> String {
        let tests = #filePath.split(separator: "/").dropLast(2)
        return "/" + tests.joined(separator: "/") + "/Examples/\(name)"
    }

    private func serialProtocol(
        _ command: [String], keys: [String: JSONValue] = [:]
    ) throws -> any SerialProtocol {
        try ExecProtocol.factory.make(Self.settings(command, keys: keys))
    }

    private static func settings(
        _ command: [String], keys: [String: JSONValue] = [:]
    ) -> ConfigurationNode {
        var value = keys
        value["use"] = .string("exec")
        value["command"] = .array(command.map { .string($0) })
        return ConfigurationNode(path: "protocol", value: .object(value))
    }

    /// A decoder in shell: `script` handles each event in `$event`.
    private func decoder(_ script: String) throws -> any SerialProtocol {
        try serialProtocol(["sh", "-c", "while read -r event; do \(script); done"])
    }

    private static let heartRate =
        #"echo '{"reading":"instant","type":"heartRate","value":72}'"#

    func testExample_countsTheStepsOfASerialDevice() async throws {
        let harness = try await SerialHarness(
            try serialProtocol(["python3", Self.example("step_decoder.py")]))
        var total = 0.0
        for count in [3, 4] {
            try await harness.send(Array(String(repeating: "#", count: count).utf8))
            total += Double(count)
            var steps: [QuantitySample] = []
            repeat {
                steps = try await harness.samples(of: .stepCount, count: steps.count + 1)
            } while steps.map(\.quantity.value).reduce(0, +) < total
            XCTAssertEqual(steps.map(\.quantity.value).reduce(0, +), total)
        }
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testExample_decodesAStrap() async throws {
        let profile = try ExecProfile.factory.make(
            Self.settings(
                ["python3", Self.example("heart_rate_decoder.py")],
                keys: [
                    "name": .string("strap"), "service": .string("180d"),
                    "subscribe": .array([.string("2a37")]), "read": .array([.string("2a38")]),
                ]))
        let measurement = BluetoothUUID(0x2A37)
        let harness: BluetoothHarness
        do {
            harness = try await BluetoothHarness(profile, reads: [BluetoothUUID(0x2A38): [0x01]])
        } catch is PrivateBus.Failure {
            throw XCTSkip("dbus-daemon is missing; apt install dbus")
        }
        await harness.notify([0x16, 0x48, 0x04, 0x04], of: measurement)
        let rates = try await harness.samples(of: .heartRate)
        XCTAssertEqual(rates.map(\.quantity.value), [72])
        await harness.notify([0x16], of: measurement)
        await harness.notify([0x06, 0x49], of: measurement)
        let more = try await harness.samples(of: .heartRate, count: 2)
        XCTAssertEqual(more.map(\.quantity.value), [72, 73])
        // An interval that began before the link was opened is no sample.
        for ticks in [0x00, 0x04] as [UInt8] {
            await harness.notify([0x16, 0x48, ticks, 0x04], of: measurement)
        }
        let intervals = try await harness.samples(of: .rrInterval)
        XCTAssertEqual(try XCTUnwrap(intervals.last).quantity.unit.description, "ms")
        try await harness.gateway.stop()
    }

    func testWrite_reachesTheDevice() async throws {
        let script = #"case $event in *opened*) echo '{"write":"stream","bytes":"4f4b"}';; esac"#
        let harness = try await SerialHarness(try decoder(script))
        let received = try await harness.port.receive()
        XCTAssertEqual(received, Array("OK".utf8))
        try await harness.gateway.stop()
    }

    func testDeviceAndTime_areInTheEventAndTheEnvironment() async throws {
        let script = #"""
            case $event in *'"device":"'"$PULSEGATE_DEVICE"'"'*'"time":"20'*'Z"}') \#(Self.heartRate);; esac
            """#
        let harness = try await SerialHarness(try decoder(script))
        _ = try await harness.samples(of: .heartRate)
        try await harness.gateway.stop()
    }

    func testProgramThatDies_isStartedAgain_withTheEventOpened() async throws {
        let script = #"case $event in *opened*) \#(Self.heartRate);; *21*) exit 3;; esac"#
        let harness = try await SerialHarness(try decoder(script))
        _ = try await harness.samples(of: .heartRate)
        try await harness.send(Array("!".utf8))
        _ = try await harness.samples(of: .heartRate, count: 2)
        XCTAssertTrue(
            harness.gateway.logLines.contains { $0.contains("exited with status 3") },
            "\(harness.gateway.logLines)")
        try await harness.gateway.stop()
    }

    func testUnusableLines_areCountedLoggedOnceAndAnswered() async throws {
        // The answer to the second one makes it print a reading.
        let script = """
            case $event in *rejected*) \(Self.heartRate);; *received*) echo nonsense; echo nonsense;; esac
            """
        let harness = try await SerialHarness(try decoder(script))
        try await harness.send([1])
        _ = try await harness.samples(of: .heartRate)
        let logged = harness.gateway.logLines.filter { $0.contains("discarding a line") }
        XCTAssertEqual(logged.count, 1, "\(harness.gateway.logLines)")
        try await harness.gateway.stop()
    }

    func testLinesThatAreTooLong_areLeftOut() async throws {
        let script = """
            head -c 20000 /dev/zero | tr '\\0' x; echo; \(Self.heartRate)
            """
        let harness = try await SerialHarness(try decoder(script))
        _ = try await harness.samples(of: .heartRate)
        XCTAssertTrue(
            harness.gateway.logLines.contains { $0.contains("more than 16384 bytes") },
            "\(harness.gateway.logLines)")
        try await harness.gateway.stop()
    }

    func testProgramThatFloods_isLimitedByTheBytesOfItsDevice() async throws {
        let harness = try await SerialHarness(
            try serialProtocol([
                "sh", "-c", "yes '{\"reading\":\"instant\",\"type\":\"heartRate\",\"value\":72}'",
            ]))
        _ = try await harness.samples(of: .heartRate, count: 2_000)
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertTrue(
            harness.gateway.logLines.contains { $0.contains("flood") },
            "\(harness.gateway.logLines)")
    }

    func testProgramThatNeverReads_losesInputWithACount() async throws {
        let harness = try await SerialHarness(try serialProtocol(["sleep", "1000"]))
        let bytes = [UInt8](repeating: 0x41, count: 2_048)
        let isCounted = { harness.gateway.logLines.contains { $0.contains("overrun") } }
        for _ in 0..<2_000 where !isCounted() { try await harness.send(bytes) }
        XCTAssertTrue(isCounted(), "\(harness.gateway.logLines)")
        let ledger = try await harness.gateway.stop()
        XCTAssertEqual(ledger.imbalances, [])
    }

    func testMissingProgram_isFoundByTheCheck_withTheKeyPath() throws {
        let context = ComponentContext(
            name: "foot", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nowhere")
        let spoken = try serialProtocol(["no-such-program-here"])
        XCTAssertThrowsError(try (spoken as? ExecProtocol)?.checkProgram(context)) {
            XCTAssertEqual(
                "\($0)",
                "protocol.command: `no-such-program-here` was not found in PATH "
                    + "(/usr/local/bin:/usr/bin:/bin); install it, or set its full path in `command`"
            )
        }
    }

    func testSettings_areChecked() throws {
        func problem(_ settings: String, of factory: GATTProfileFactory) -> String {
            do {
                _ = try factory.make(try ConfigurationNode(json5: settings))
                return ""
            } catch {
                return "\(error)"
            }
        }
        let base = #"use: "exec", command: ["x"], name: "glove", service: "180d""#
        let cases = [
            (#"{ use: "exec", command: ["x"] }"#, "name"),
            ("{ \(base) }", "subscribe"),
            ("{ \(base), subscribe: [] }", "subscribe"),
            ("{ \(base), subscribe: [\"xyz\"] }", "subscribe[0]"),
            (
                "{ \(base), subscribe: [\"2a37\", \"00002A37-0000-1000-8000-00805F9B34FB\"] }",
                "subscribe[1]: 2a37 is given twice; remove one of them"
            ),
            (
                "{ \(base), subscribe: [\"2a37\"], read: [\"2a38\", \"2a38\"] }",
                "read[1]: 2a38 is given twice; remove one of them"
            ),
            ("{ \(base), subscribe: [\"2a37\"], silenceLimit: 0 }", "silenceLimit"),
            ("{ \(base), subscribe: [\"2a37\"], comand: [] }", "comand"),
        ]
        for (settings, key) in cases {
            let found = problem(settings, of: ExecProfile.factory)
            XCTAssertTrue(found.contains(key), "\(settings): \(found)")
        }
        XCTAssertEqual(
            problem("{ \(base), subscribe: [\"2a37\"] }", of: ExecProfile.factory), "")
        XCTAssertThrowsError(
            try ExecProtocol.factory.make(
                ConfigurationNode(json5: #"{ use: "exec", command: ["x"], baud: 1234 }"#)))
    }

    private func names(_ json5: String) throws -> [String] {
        let factories = [
            ExecProfile.factory,
            GATTProfileFactory(use: "heartRate") { _ in HeartRate() },
        ]
        return try GATTProfileFactory.makeProfiles(
            try ConfigurationNode(json5: json5), from: factories, types: .standard
        ).map(\.name)
    }

    private func entry(
        _ name: String, service: String = "180d", _ characteristic: String
    ) -> String {
        """
        { use: "exec", command: ["x"], name: "\(name)", service: "\(service)",
          subscribe: ["\(characteristic)"] }
        """
    }

    func testProfiles_withoutAList_haveNoPrograms_andSeveralByName() throws {
        let none = try GATTProfileFactory.makeProfiles(
            nil, from: [ExecProfile.factory], types: .standard)
        XCTAssertEqual(none.count, 0)
        XCTAssertEqual(
            try names("[\(entry("a", "2a37")), \(entry("b", "2a38")), \"heartRate\"]"),
            ["a", "b", "heartRate"])
        XCTAssertThrowsError(try names("[\(entry("a", "2a37")), \(entry("A", "2a38"))]"))
    }

    func testProfiles_ofWhichOneWouldGetNoValues_areRefused() {
        let cases = [
            (
                "[\(entry("a", "2a37")), \(entry("b", "2a37"))]",
                "[1]: `b` and `a` both read 2a37 of the service 180d; remove one of them"
            ),
            (
                "[\"heartRate\", \(entry("b", "2a39"))]",
                "[1]: `b` and `heartRate` both read 2a39 of the service 180d; remove one of them"
            ),
            // A value of a characteristic goes to one program only, whatever its service.
            (
                "[\(entry("a", "2a37")), \(entry("b", service: "1816", "2a37"))]",
                "[1]: `b` and `a` both read 2a37; remove one of them"
            ),
            (
                "[\(entry("heartRate", "2a37"))]",
                "[0]: `heartRate` is the name of the built-in profile `heartRate`; choose another name"
            ),
        ]
        for (settings, problem) in cases {
            XCTAssertThrowsError(try names(settings)) { XCTAssertEqual("\($0)", problem) }
        }
    }
}

private struct HeartRate: GATTProfile {
    let name = "heartRate"
    let service = BluetoothUUID(0x180D)
    let subscriptions = [BluetoothUUID(0x2A39)]

    func decode(
        _ value: [UInt8], of characteristic: BluetoothUUID, from device: Device
    ) throws(ByteDecodingError) -> GATTDecoding { GATTDecoding() }
}
