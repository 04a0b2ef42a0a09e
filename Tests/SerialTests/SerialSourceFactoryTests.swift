import GatewayCore
import GatewayTesting
import JSON
import XCTest

@testable import Serial

final class SerialSourceFactoryTests: XCTestCase {
    private func make(_ json5: String) throws -> any Source {
        try make(try JSONValue(json5: json5))
    }

    private func make(_ value: JSONValue) throws -> any Source {
        let known = ["hxm", "lines"].map { use in
            SerialProtocolFactory(use: use) { node throws(ConfigurationError) in
                _ = try node.object(keys: ["use", "preset"])
                return ScriptedProtocol()
            }
        }
        let node = ConfigurationNode(path: "sources.foot", value: value)
        let context = ComponentContext(
            name: "foot", clock: ManualClock(), log: LogRecorder().logger, dataDirectory: "/nowhere"
        )
        return try SerialSource.factory(protocols: known).make(node, context)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    func testUse_isSerial() {
        XCTAssertEqual(SerialSource.factory(protocols: []).use, "serial")
    }

    func testMake_whenProtocolIsAWord_makesASource() throws {
        let source = try make(
            "{ use: 'serial', port: { path: '/dev/ttyUSB0' }, protocol: 'hxm' }")
        XCTAssertTrue(source is SerialSource)
    }

    func testMake_whenProtocolHasSettings_handsThemOn() throws {
        let source = try make(
            """
            { use: "serial", port: { path: "/dev/ttyUSB0" },
              protocol: { use: "lines", preset: "steps" } }
            """)
        XCTAssertTrue(source is SerialSource)
    }

    func testMake_whenProtocolIsUnknown_namesTheNearest() {
        assertRefused(
            "{ use: 'serial', port: { path: '/dev/ttyUSB0' }, protocol: 'line' }",
            "sources.foot.protocol: unknown protocol `line`; did you mean `lines`?")
    }

    func testMake_whenProtocolHasAnUnknownKey_namesItsPath() {
        assertRefused(
            """
            { use: "serial", port: { path: "/dev/ttyUSB0" },
              protocol: { use: "lines", presett: "steps" } }
            """,
            "sources.foot.protocol.presett: unknown key; did you mean `preset`?")
    }

    func testMake_whenPortIsAString_isRejected() {
        assertRefused(
            "{ use: 'serial', port: '/dev/ttyUSB0', protocol: 'hxm' }",
            "sources.foot.port: expected an object, found a string")
    }

    func testMake_whenPathIsRelative_isRejected() {
        for path in ["ttyUSB0", "./ttyUSB0", "~/tty"] {
            assertRefused(
                "{ use: 'serial', port: { path: '\(path)' }, protocol: 'hxm' }",
                "sources.foot.port.path: must be an absolute path, such as /dev/ttyUSB0")
        }
    }

    func testMake_whenPathHoldsAZero_isRejected() {
        let value = JSONValue.object([
            "use": .string("serial"), "protocol": .string("hxm"),
            "port": .object(["path": .string("/dev/ttyUSB0\0")]),
        ])
        XCTAssertThrowsError(try make(value)) {
            XCTAssertEqual(($0 as? ConfigurationError)?.path, "sources.foot.port.path")
        }
    }

    func testMake_whenAKeyIsMissing_namesIt() {
        assertRefused(
            "{ use: 'serial', protocol: 'hxm' }",
            "sources.foot: the key `port` is missing")
        assertRefused(
            "{ use: 'serial', port: {}, protocol: 'hxm' }",
            "sources.foot.port: does not identify a port; set `path`, `vendor`, `product`, `serial` or "
                + "`idPath`")
        assertRefused(
            "{ use: 'serial', port: { path: '/dev/ttyUSB0' } }",
            "sources.foot: the key `protocol` is missing")
    }

    func testMake_whenAKeyIsUnknown_namesTheNearest() {
        assertRefused(
            "{ use: 'serial', port: { path: '/dev/ttyUSB0' }, protocol: 'hxm', baud: 9600 }",
            "sources.foot.baud: unknown key; known: use, port, protocol")
        assertRefused(
            "{ use: 'serial', port: { pth: '/dev/ttyUSB0' }, protocol: 'hxm' }",
            "sources.foot.port.pth: unknown key; did you mean `path`?")
    }

    func testClaim_whenPortIsNamedByWhatItIs_hasASteadyIdentifier() throws {
        let identifiers: [(port: String, identifier: String)] = [
            ("path: '/dev/ttyUSB0'", "/dev/ttyUSB0"),
            ("vendor: '10C4', product: 'EA60', serial: '0001'", "usb:10c4:ea60:0001"),
            ("vendor: '10c4'", "usb:10c4:*"),
            ("idPath: 'pci-0000:00:14.0-usb-0:2:1.0'", "@pci-0000:00:14.0-usb-0:2:1.0"),
        ]
        for (port, identifier) in identifiers {
            let text = "{ use: 'serial', port: { \(port) }, protocol: 'hxm' }"
            let claim = try SerialSource.factory(protocols: []).claim(
                ConfigurationNode(path: "sources.foot", value: JSONValue(json5: text)))
            XCTAssertEqual(claim.choice, .named([identifier]))
            XCTAssertEqual(claim.spoken, .string("hxm"))
            XCTAssertEqual(claim.phrase == nil, identifier.hasPrefix("/"))
        }
    }

    func testMake_whenTheIdentityIsWrong_namesTheKey() {
        let digits = "must be four hexadecimal digits, such as \"10c4\""
        let mistakes: [(port: String, problem: String)] = [
            ("vendor: '10c'", ".vendor: \(digits)"),
            ("vendor: '0x10c4'", ".vendor: \(digits)"),
            ("product: 'ea6g'", ".product: \(digits)"),
            ("vendor: 0x10c4", ".vendor: expected a string, found a number"),
            ("serial: ''", ".serial: must not be empty"),
            ("idPath: 'a\\u001bb'", ".idPath: must be up to 256 printable characters"),
            (
                "serial: '\(String(repeating: "1", count: 257))'",
                ".serial: must be up to 256 printable characters"
            ),
            (
                "path: '/dev/ttyUSB0', vendor: '10c4'",
                ": set either `path`, or `vendor`, `product`, `serial` and `idPath`"
            ),
            ("vendr: '10c4'", ".vendr: unknown key; did you mean `vendor`?"),
        ]
        for (port, problem) in mistakes {
            assertRefused(
                "{ use: 'serial', port: { \(port) }, protocol: 'hxm' }",
                "sources.foot.port\(problem)")
        }
    }

    func testProtocolFactory_recognisesNothingUnlessItReportsIt() {
        let port = SerialPortDescription(path: "/dev/ttyUSB0", vendor: "0fcf", product: "1008")
        let plain = SerialProtocolFactory(use: "a") { _ in ScriptedProtocol() }
        let knowing = SerialProtocolFactory(use: "b", recognises: { $0.vendor == "0fcf" }) { _ in
            ScriptedProtocol()
        }
        XCTAssertFalse(plain.recognises(port))
        XCTAssertTrue(knowing.recognises(port))
    }
}
