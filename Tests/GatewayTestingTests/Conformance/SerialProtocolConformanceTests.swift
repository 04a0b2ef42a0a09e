import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Readings
import Serial
import XCTest

/// The suite finds serial protocols that violate the contract, and only those.
final class SerialProtocolConformanceTests: XCTestCase {
    /// A message: STX, a total, and its complement as checksum.
    private static let stream: [UInt8] = [2, 7, 248, 2, 9, 246]

    private struct Pedometer: SerialProtocol {
        var lineSettings = LineSettings(baud: .baud9600)
        var device = Device(manufacturer: "Acme", model: "Pedometer")
        var silenceLimitSeconds: Double?
        var adapter: any DeviceAdapter = FramedTotal()

        func makeAdapter() -> any DeviceAdapter { adapter }
    }

    /// Reads the messages; may ignore the checksum, be silent about damage, or never find a message
    /// again after damage.
    private struct FramedTotal: DeviceAdapter {
        var checks = true
        var counts = true
        var recovers = true
        private var buffer: [UInt8] = []
        private var isLost = false

        init(checks: Bool = true, counts: Bool = true, recovers: Bool = true) {
            self.checks = checks
            self.counts = counts
            self.recovers = recovers
        }

        mutating func handle(_ event: AdapterEvent) -> [AdapterAction] {
            guard case .received(let bytes, _) = event.kind else {
                if event.kind != .timer { (buffer, isLost) = ([], false) }
                return []
            }
            buffer += bytes
            var actions: [AdapterAction] = []
            while let action = next() { actions.append(action) }
            return counts ? actions : actions.filter { $0 != .dropped(.damaged) }
        }

        private mutating func next() -> AdapterAction? {
            guard let first = buffer.first, !isLost else {
                buffer = []
                return nil
            }
            let isStart = first == 2
            if isStart, buffer.count < 3 { return nil }
            guard isStart, !checks || buffer[1] == ~buffer[2] else {
                buffer.removeFirst()
                isLost = !recovers
                return .dropped(.damaged)
            }
            defer { buffer.removeFirst(3) }
            return .steps(Double(buffer[1]))
        }
    }

    private func findings(
        _ stream: [UInt8] = stream, damaged: [[UInt8]] = [[2, 7, 7]], hasChecksum: Bool = true,
        _ change: (inout Pedometer) -> Void = { _ in }
    ) -> String {
        var pedometer = Pedometer()
        change(&pedometer)
        return SerialProtocolConformance.findings(
            for: pedometer, stream: stream, damaged: damaged, hasChecksum: hasChecksum
        ).text
    }

    private func assertFinding(
        _ expected: String, _ stream: [UInt8] = stream, line: UInt = #line,
        _ change: (inout Pedometer) -> Void
    ) {
        let found = findings(stream, change)
        XCTAssertTrue(found.contains(expected), found, line: line)
    }

    func testGoodProtocol_hasNoFinding() {
        XCTAssertEqual(findings(), "")
    }

    func testDescription() {
        assertFinding("the line has seven data bits") {
            $0.lineSettings = LineSettings(baud: .baud9600, format: .sevenEvenOne)
        }
        assertFinding("silenceLimitSeconds must be") { $0.silenceLimitSeconds = .nan }
        assertFinding("which differ between devices") { $0.device = Device(serial: "0001") }
    }

    func testChecksumThatIsIgnored_isFound() {
        let found = findings { $0.adapter = FramedTotal(checks: false) }
        XCTAssertTrue(found.contains("a damaged message gives readings"), found)
        XCTAssertTrue(found.contains("a changed bit of byte 1 is not noticed"), found)
    }

    func testDamageThatIsNotCounted_isFound() {
        let found = findings { $0.adapter = FramedTotal(counts: false) }
        XCTAssertTrue(found.contains("a damaged message is not counted as dropped"), found)
        XCTAssertTrue(found.contains("a changed bit of byte 0 is not counted"), found)
    }

    func testNoiseWithoutRecovery_isFound() {
        let found = findings { $0.adapter = FramedTotal(recovers: false) }
        for place in ["before the first message", "between two messages", "within a message"] {
            XCTAssertTrue(found.contains("noise \(place)"), found)
        }
    }

    func testStreamWithoutReadings_isFound() {
        assertFinding("the sample stream gives no reading", [1, 1]) { _ in }
    }

    func testActionsThatAStreamDoesNotHave_areFound() {
        assertFinding("reads a channel, which a byte stream does not have") {
            $0.adapter = ScriptedAdapter { _ in [.read(.stream)] }
        }
        assertFinding("sends on a channel other than `stream`") {
            $0.adapter = ScriptedAdapter { _ in [.send([1], on: Channel("2a39"))] }
        }
    }

    func testMessagesThatMustNotBeCut_areFound() {
        assertFinding("readings differ when the stream is cut at 1") {
            $0.adapter = PairAdapter(keepsHalves: false, forgetsWhenClosed: true)
        }
    }

    func testFactory() {
        let own = SerialPortDescription(path: "/dev/ttyACM0", vendor: "1234", product: "5678")
        func findings(
            strict: Bool = true, settings: String = "",
            _ recognises: @escaping @Sendable (SerialPortDescription) -> Bool
        ) -> String {
            let factory = SerialProtocolFactory(use: "pedometer", recognises: recognises) {
                node throws(ConfigurationError) in
                if strict { _ = try node.object(keys: ["use"]) }
                return Pedometer()
            }
            return SerialProtocolConformance.findings(
                for: factory, settings: settings, recognising: [own]
            ).text
        }
        XCTAssertEqual(findings { $0.vendor == "1234" && $0.product == "5678" }, "")
        XCTAssertEqual(
            findings { _ in false }, "`pedometer` does not recognise its own device")
        let greedy = findings { _ in true }
        XCTAssertTrue(greedy.contains("recognises a port that is not USB"), greedy)
        XCTAssertTrue(greedy.contains("recognises 0403:6001"), greedy)
        XCTAssertEqual(
            findings(strict: false) { $0.vendor == "1234" },
            "`pedometer` accepts an unknown setting")
        let wrong = findings(settings: "speed: 9600") { $0.vendor == "1234" }
        XCTAssertTrue(wrong.contains("cannot be made from its settings"), wrong)
    }
}
