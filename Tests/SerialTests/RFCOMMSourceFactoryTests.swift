import GatewayCore
import GatewayTesting
import JSON
import XCTest

@testable import Serial

final class RFCOMMSourceFactoryTests: XCTestCase {
    private func make(_ json5: String) throws -> any Source {
        let known = SerialProtocolFactory(use: "hxm") { node throws(ConfigurationError) in
            _ = try node.object(keys: ["use", "baud"])
            return ScriptedProtocol()
        }
        let node = ConfigurationNode(
            path: "sources.spp", value: try JSONValue(json5: json5))
        let context = ComponentContext(
            name: "spp", clock: ManualClock(), log: LogRecorder().logger, dataDirectory: "/nowhere")
        return try SerialSource.rfcommFactory(protocols: [known]).make(node, context)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    func testUse_isRFCOMM() {
        XCTAssertEqual(SerialSource.rfcommFactory(protocols: []).use, "rfcomm")
    }

    func testClaim_namesTheDeviceByItsAddressInUpperCase() throws {
        for rest in ["", ", channel: 1", ", channel: 30, protocol: 'hxm'"] {
            let node = ConfigurationNode(
                path: "sources.spp",
                value: try JSONValue(
                    json5: "{ use: 'rfcomm', address: '00:07:80:ab:cd:ef'\(rest) }"))
            let claim = try SerialSource.rfcommFactory(protocols: []).claim(node)
            XCTAssertEqual(claim.choice, .named(["00:07:80:AB:CD:EF"]))
            XCTAssertEqual(claim.spoken, rest.contains("hxm") ? .string("hxm") : nil)
        }
    }

    func testMake_whenTheAddressIsNone_isRejected() {
        let problem =
            "sources.spp.address: must be six pairs of hexadecimal digits, such as "
            + "00:07:80:12:34:56"
        for address in ["00:07:80", "00:07:80:ab:cd:eg", "/dev/rfcomm0", "any"] {
            assertRefused("{ use: 'rfcomm', address: '\(address)', protocol: 'hxm' }", problem)
        }
        assertRefused(
            "{ use: 'rfcomm', address: 7, protocol: 'hxm' }",
            "sources.spp.address: expected a string, found a number")
        assertRefused(
            "{ use: 'rfcomm', protocol: 'hxm' }", "sources.spp: the key `address` is missing")
    }

    func testMake_whenThereIsNoSuchChannel_isRejected() {
        for channel in ["0", "31", "1.5", "-1"] {
            assertRefused(
                """
                { use: "rfcomm", address: "00:07:80:12:34:56", channel: \(channel),
                  protocol: "hxm" }
                """,
                "sources.spp.channel: must be a whole number from 1 to 30")
        }
    }

    func testMake_whenAKeyIsUnknown_namesTheNearest() {
        assertRefused(
            "{ use: 'rfcomm', adress: '00:07:80:12:34:56', protocol: 'hxm' }",
            "sources.spp.adress: unknown key; did you mean `address`?")
        assertRefused(
            "{ use: 'rfcomm', address: '00:07:80:12:34:56', protocol: 'hxn' }",
            "sources.spp.protocol: unknown protocol `hxn`; did you mean `hxm`?")
    }

    func testMake_withABaudRate_isRejected() throws {
        let base = "use: 'rfcomm', address: '00:07:80:12:34:56'"
        assertRefused(
            "{ \(base), protocol: { use: 'hxm', baud: 9600 } }",
            "sources.spp.protocol.baud: a serial port over Bluetooth has no baud rate; remove `baud`"
        )
        XCTAssertNoThrow(try make("{ \(base), protocol: { use: 'hxm' } }"))
    }
}
