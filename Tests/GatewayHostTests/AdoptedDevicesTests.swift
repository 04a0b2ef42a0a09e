import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayHost
@testable import JSON
@testable import Platform

final class AdoptedDevicesTests: XCTestCase {
    private static let moment = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)

    private func device(
        _ text: String, person: String? = nil, role: People.Role? = nil, name: String? = nil,
        spoken: JSONValue? = nil
    ) throws -> AdoptedDevice {
        var device = AdoptedDevice(try XCTUnwrap(DeviceIdentifier(text)), since: Self.moment)
        (device.person, device.role, device.name, device.spoken) = (person, role, name, spoken)
        return device
    }

    private func everything() throws -> AdoptedDevices {
        let lines: JSONValue = .object([
            "use": .string("lines"), "preset": .string("steps"), "baud": .number(9_600),
            "more": .array([.null, .boolean(true), .boolean(false), .object([:]), .number(-0.5)]),
        ])
        var devices = AdoptedDevices()
        devices.insert(try device("D0:11:22:33:44:55", person: "ada", name: #"Ada's "1" \ ❤️"#))
        devices.insert(try device("/dev/ttyUSB0", role: .backup, spoken: lines))
        devices.insert(try device("00:07:80:AA:BB:CC", role: .primary, spoken: .string("hxm")))
        var sensor = try device("D0:00:00:00:00:00")
        sensor.format = "bthome"
        devices.insert(sensor)
        return devices
    }

    func testJSON_readsBackTheSame_withADeviceALine() throws {
        let devices = try everything()
        XCTAssertEqual(try AdoptedDevices(json: devices.json), devices)
        XCTAssertEqual(devices.json.split(separator: "\n").count, 2 + devices.devices.count)
        XCTAssertEqual(
            devices.devices.map(\.identifier.description),
            ["/dev/ttyUSB0", "00:07:80:AA:BB:CC", "D0:00:00:00:00:00", "D0:11:22:33:44:55"])
        XCTAssertEqual(devices.devices.map(\.isClassic), [false, true, false, false])
        XCTAssertEqual(try AdoptedDevices(json: AdoptedDevices().json), AdoptedDevices())
    }

    func testJSON_isWhatFoundationReadsToo() throws {
        let data = Data(try everything().json.utf8)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let devices = object?["devices"] as? [String: [String: Any]]
        XCTAssertEqual(object?["v"] as? Int, 1)
        XCTAssertEqual(devices?["D0:11:22:33:44:55"]?["name"] as? String, #"Ada's "1" \ ❤️"#)
        XCTAssertEqual(devices?["/dev/ttyUSB0"]?["since"] as? String, "\(Self.moment)")
    }

    func testRetention_replacesTheDeviceWithTheSameIdentifier() throws {
        var devices = try everything()
        devices.insert(try device("d0:11:22:33:44:55", person: "bob"))
        XCTAssertEqual(devices.devices.count, 4)
        let identifier = try XCTUnwrap(DeviceIdentifier("D0:11:22:33:44:55"))
        XCTAssertEqual(devices[identifier]?.person, "bob")
        devices.remove(identifier)
        XCTAssertNil(devices[identifier])
    }

    func testInit_ofEveryTruncation_throws() throws {
        let text = try everything().json.trimmingCharacters(in: .newlines)
        for count in 0..<text.unicodeScalars.count {
            let part = String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
            XCTAssertThrowsError(try AdoptedDevices(json: part), part)
        }
    }

    func testInit_ofRandomChanges_throwsOrReadsWhatReadsBack() throws {
        let seed: UInt64 = 21
        var generator = SeededGenerator(seed: seed)
        let bytes = Array(try everything().json.utf8)
        var count = 0
        for _ in 0..<2_000 * FuzzFactor.current {
            var changed = bytes
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let place = Int.random(in: 0..<changed.count, using: &generator)
                changed[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            let text = String(decoding: changed, as: UTF8.self)
            guard let devices = try? AdoptedDevices(json: text) else { continue }
            count += 1
            XCTAssertEqual(try AdoptedDevices(json: devices.json), devices, "seed \(seed): \(text)")
        }
        XCTAssertGreaterThan(count, 20)
    }

    func testInit_ofRandomBytes_throws() {
        let seed: UInt64 = 22
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 * FuzzFactor.current {
            let count = Int.random(in: 0...60, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            let text = String(decoding: bytes, as: UTF8.self)
            XCTAssertThrowsError(try AdoptedDevices(json: text), "seed \(seed): \(text)")
        }
    }

    func testInit_ofWrongContent_namesTheKeyPath() {
        let since = #""since":"2026-11-21T18:15:00Z""#
        let address = "D0:11:22:33:44:55"
        let cases: [(text: String, path: String, words: String)] = [
            ("[]", "", "expected an object"),
            ("{}", "", "`v` is missing"),
            (#"{"v":1}"#, "", "`devices` is missing"),
            (#"{"v":2,"list":[]}"#, "v", "unsupported format version"),
            (#"{"v":"1","devices":{}}"#, "v", "expected a number"),
            (#"{"v":1,"devices":{},"more":1}"#, "more", "unknown key"),
            (#"{"v":1,"devices":[]}"#, "devices", "expected an object"),
            (Self.file("x", since), "devices.x", "expected an address such as"),
            (Self.file(address, ""), "devices.\(address)", "`since` is missing"),
            (Self.file(address, #""since":"today""#), "devices.\(address).since", "a time"),
            (
                Self.file(address, #""persona":"ada",\#(since)"#), "devices.\(address).persona",
                "did you mean `person`?"
            ),
            (
                Self.file(address, #""person":"a b",\#(since)"#), "devices.\(address).person",
                "a person's name"
            ),
            (
                Self.file(address, #""role":"first",\#(since)"#), "devices.\(address).role",
                "known: primary, backup"
            ),
            (
                Self.file(address, #""name":"a\nb",\#(since)"#), "devices.\(address).name",
                "control characters"
            ),
            (
                Self.file(address, #""protocol":{"preset":"steps"},\#(since)"#),
                "devices.\(address).protocol", "`use` is missing"
            ),
            (
                Self.file("/dev/x", #""protocol":{"use":"lines","baud":Infinity},\#(since)"#),
                "devices./dev/x.protocol", "not finite"
            ),
            (
                #"{"v":1,"devices":{"\#(address)":{\#(since)},"\#(address)":{\#(since)}}}"#,
                "devices.\(address)", "duplicate key"
            ),
            (
                #"{"v":1,"devices":{"\#(address)":{\#(since)},"d0:11:22:33:44:55":{\#(since)}}}"#,
                "devices.d0:11:22:33:44:55", "duplicate"
            ),
        ]
        for (text, path, words) in cases {
            XCTAssertThrowsError(try AdoptedDevices(json: text), text) { error in
                let error = error as? ConfigurationError
                XCTAssertEqual(error?.path, path, text)
                XCTAssertTrue(error?.problem.contains(words) ?? false, "\(text): \(error as Any)")
            }
        }
    }

    func testInit_ofTooManyDevices_throws() throws {
        let since = #"{"since":"2026-11-21T18:15:00Z"}"#
        let entries = (0...AdoptedDevices.limit).map { #""/dev/tty\#($0)":\#(since)"# }
        let tooMany = #"{"v":1,"devices":{\#(entries.joined(separator: ","))}}"#
        let all = #"{"v":1,"devices":{\#(entries.dropLast().joined(separator: ","))}}"#
        XCTAssertThrowsError(try AdoptedDevices(json: tooMany))
        XCTAssertEqual(try AdoptedDevices(json: all).devices.count, AdoptedDevices.limit)
    }

    func testMayChangeAddress_ofAPrivateRandomAddress() throws {
        let cases = [
            ("40:00:00:00:00:00", true), ("7F:FF:FF:FF:FF:FF", true), ("3F:11:22:33:44:55", false),
            ("80:11:22:33:44:55", false), ("D0:11:22:33:44:55", false), ("/dev/ttyUSB0", false),
        ]
        for (text, expected) in cases {
            XCTAssertEqual(try device(text).mayChangeAddress, expected, text)
        }
        XCTAssertFalse(
            try device("40:00:00:00:00:00", spoken: .string("hxm")).mayChangeAddress, "classic")
    }

    private static func file(_ identifier: String, _ fields: String) -> String {
        #"{"v":1,"devices":{"\#(identifier)":{\#(fields)}}}"#
    }
}
