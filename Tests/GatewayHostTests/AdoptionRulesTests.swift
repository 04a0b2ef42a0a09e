import GatewayCore
import HealthModel
import Serial
import XCTest

@testable import GatewayHost
@testable import JSON
@testable import Readings

/// Which protocol a port is adopted with.
final class AdoptionRulesTests: XCTestCase {
    private let file = ConfigurationFile(path: nil, configuration: GatewayConfiguration())

    private func device(_ text: String) throws -> AdoptedDevice {
        AdoptedDevice(
            try XCTUnwrap(DeviceIdentifier(text)), since: Instant(nanosecondsSince1970: 0))
    }

    /// A protocol that knows a vendor and has one setting, or none.
    private func factory(
        _ use: String, vendor: String, required: String? = nil
    ) -> SerialProtocolFactory {
        SerialProtocolFactory(use: use, recognises: { $0.vendor == vendor }) {
            node throws(ConfigurationError) in
            if let required { _ = try node.object(keys: ["use", required]).require(required) }
            return SilentProtocol()
        }
    }

    private func rules(_ protocols: [SerialProtocolFactory]) -> AdoptionRules {
        AdoptionRules(file: file, claims: [], protocols: protocols) {
            [
                SerialPortDescription(path: "/dev/ttyS0"),
                SerialPortDescription(
                    path: "/dev/ttyUSB0", vendor: "0fcf", links: ["/dev/serial/by-id/usb-stick"]),
            ]
        }
    }

    func testCompleted_ofAPortThatOneProtocolKnows_hasIt() throws {
        let rules = rules([factory("a", vendor: "1234"), factory("b", vendor: "0fcf")])
        for path in ["/dev/ttyUSB0", "/dev/serial/by-id/usb-stick"] {
            XCTAssertEqual(try rules.completed(device(path)).spoken, .string("b"))
        }
    }

    func testCompleted_ofAPortThatNobodyKnowsForSure_asks() throws {
        let cases = [
            ("/dev/ttyS0", [factory("a", vendor: "0fcf")]),
            ("/dev/ttyX", [factory("a", vendor: "0fcf")]),
            ("/dev/ttyUSB0", [factory("a", vendor: "0fcf"), factory("b", vendor: "0fcf")]),
            ("/dev/ttyUSB0", [factory("a", vendor: "0fcf", required: "preset")]),
        ]
        for (path, protocols) in cases {
            XCTAssertThrowsError(try rules(protocols).completed(device(path)), path) { error in
                let failure = error as? ConfigurationError
                XCTAssertEqual(failure?.path, "protocol")
                let words = "known: \(protocols.map(\.use).joined(separator: ", "));"
                XCTAssertTrue(failure?.problem.contains(words) ?? false, failure?.problem ?? "")
            }
        }
    }

    func testCompleted_ofWhatHasAProtocolOrNeedsNone_isTheSame() throws {
        let rules = rules([factory("a", vendor: "0fcf")])
        var port = try device("/dev/ttyUSB0")
        port.spoken = .string("hxm")
        XCTAssertEqual(try rules.completed(port), port)
        let strap = try device("D0:11:22:33:44:55")
        XCTAssertEqual(try rules.completed(strap), strap)
    }
}

private struct SilentProtocol: SerialProtocol {
    let lineSettings = LineSettings(baud: .baud9600)
    let device = Device()

    func makeAdapter() -> any DeviceAdapter { SilentAdapter() }
}

private struct SilentAdapter: DeviceAdapter {
    mutating func handle(_ event: AdapterEvent) -> [AdapterAction] { [] }
}
