import Bluetooth
import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Readings
import XCTest

@testable import HeartRate

final class HeartRateSettingsTests: XCTestCase {
    private let measurement = BluetoothUUID(0x2A37)

    private func make(_ json5: String) throws -> any GATTProfile {
        let node = ConfigurationNode(path: "profiles", value: try JSONValue(json5: json5))
        let profiles = try GATTProfileFactory.makeProfiles(
            node, from: [HeartRateProfile.factory], types: .standard)
        return try XCTUnwrap(profiles.first)
    }

    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try make(json5), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    /// The readings of a value with everything in it, without contact.
    private func readings(_ profile: any GATTProfile, from device: Device) throws -> [Reading] {
        try profile.decode(bytes("1C 50 0A 00 00 04"), of: measurement, from: device).readings
    }

    func testFactory_withoutSettings_countsEnergy() throws {
        for json5 in [
            "['heartRate']", "[{ use: 'heartRate' }]", "[{ use: 'heartRate', energy: true }]",
        ] {
            XCTAssertTrue(try readings(make(json5), from: Device()).contains { $0.isEnergy }, json5)
        }
    }

    func testFactory_withoutEnergy_leavesItOut() throws {
        let profile = try make("[{ use: 'heartRate', energy: false }]")

        XCTAssertEqual(try readings(profile, from: Device()), [.state(.contact(false))])
    }

    func testFactory_readsQuirks() throws {
        let profile = try make(
            """
            [{ use: "heartRate", energy: false, quirks: [
              { manufacturer: "Acme", model: "Heart 2", rrUnit: "ms" },
              { manufacturer: "Acme", contact: "ignored" },
            ] }]
            """)
        let unknown = Reading.state(.contact(nil))
        let rate = Reading.instant(.heartRate, try Quantity(80, .countPerMinute))

        XCTAssertEqual(
            try readings(profile, from: Device(manufacturer: "Acme", model: "Heart 2")),
            [unknown, rate, .beats(BeatsReading(ticks: [1024], perSecond: 1000))])
        XCTAssertEqual(
            try readings(profile, from: Device(manufacturer: "Acme", model: "Heart 1")),
            [unknown, rate, .beats(BeatsReading(ticks: [1024], perSecond: 1024))])
    }

    func testFactory_whatTheConfigurationSays_winsOverTheTable() throws {
        let device = Device(manufacturer: "WHOOP Inc.", model: "5.0")
        let value = bytes("10 50 00 04")
        func perSecond(_ json5: String) throws -> [Reading] {
            try make(json5).decode(value, of: measurement, from: device).readings.filter {
                if case .beats = $0 { true } else { false }
            }
        }

        XCTAssertEqual(
            try perSecond("['heartRate']"),
            [.beats(BeatsReading(ticks: [1024], perSecond: 1000))])
        XCTAssertEqual(
            try perSecond(
                """
                [{ use: "heartRate",
                   quirks: [{ manufacturer: "WHOOP Inc.", rrUnit: "1/1024 s" }] }]
                """),
            [.beats(BeatsReading(ticks: [1024], perSecond: 1024))])
        XCTAssertEqual(
            try perSecond(
                """
                [{ use: "heartRate",
                   quirks: [{ manufacturer: "WHOOP Inc.", contact: "ignored" }] }]
                """),
            [.beats(BeatsReading(ticks: [1024], perSecond: 1000))])
    }

    func testSample_namesTheProfileAndItsSettings() throws {
        let sample = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "sample.json5")
        let text = try String(contentsOf: sample, encoding: .utf8)
        let root = ConfigurationNode(path: "", value: try JSONValue(json5: text))
        let sources = try root.object(keys: ["sources", "sinks"]).require("sources")
        let straps = try sources.object(keys: ["straps"]).require("straps")
        let settings = try straps.object(keys: ["use", "devices", "profiles"])

        let profiles = try GATTProfileFactory.makeProfiles(
            settings.require("profiles"), from: [HeartRateProfile.factory], types: .standard)

        XCTAssertEqual(profiles.map(\.name), ["heartRate"])
        XCTAssertEqual(try settings.require("use").string(), "bluetooth")
    }

    func testFactory_whenASettingIsWrong_namesItsPath() {
        let quirk = "profiles[0].quirks[0]"
        assertRefused(
            "[{ use: 'heartRate', energi: false }]",
            "profiles[0].energi: unknown key; did you mean `energy`?")
        assertRefused(
            "[{ use: 'heartRate', energy: 'no' }]",
            "profiles[0].energy: expected true or false, found a string")
        assertRefused(
            "[{ use: 'heartRate', quirks: [{ model: 'A', rrUnit: 'ms' }] }]",
            "\(quirk): the key `manufacturer` is missing")
        assertRefused(
            "[{ use: 'heartRate', quirks: [{ manufacturer: 'A', model: '', rrUnit: 'ms' }] }]",
            "\(quirk).model: must not be empty")
        assertRefused(
            "[{ use: 'heartRate', quirks: [{ manufacturer: 'A', rrUnit: 'ticks' }] }]",
            "\(quirk).rrUnit: unknown value `ticks`; known: 1/1024 s, ms")
        assertRefused(
            "[{ use: 'heartRate', quirks: [{ manufacturer: 'A', contact: 'ignore' }] }]",
            "\(quirk).contact: unknown value `ignore`; did you mean `ignored`?")
        assertRefused(
            "[{ use: 'heartRate', quirks: [{ manufacturer: 'A' }] }]",
            "\(quirk): must set `rrUnit` or `contact`")
    }
}

extension Reading {
    fileprivate var isEnergy: Bool {
        if case .counter(let counter) = self { counter.type == .activeEnergyBurned } else { false }
    }
}
