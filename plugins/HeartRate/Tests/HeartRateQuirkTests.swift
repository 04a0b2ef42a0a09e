import Bluetooth
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import HeartRate

final class HeartRateQuirkTests: XCTestCase {
    private let measurement = BluetoothUUID(0x2A37)

    func testMatches_theWholeManufacturerAndTheBeginningOfTheModel() {
        let quirk = HeartRateQuirk(manufacturer: "Acme", model: "Heart 2", rrUnit: .milliseconds)
        let cases: [(Device, Bool)] = [
            (Device(manufacturer: "Acme", model: "Heart 2"), true),
            (Device(manufacturer: "Acme", model: "Heart 2 Pro"), true),
            (Device(manufacturer: "Acme", model: "Heart"), false),
            (Device(manufacturer: "Acme", model: "heart 2"), false),
            (Device(manufacturer: "Acme"), false),
            (Device(manufacturer: "acme", model: "Heart 2"), false),
            (Device(manufacturer: "Acme Inc.", model: "Heart 2"), false),
            (Device(model: "Heart 2"), false),
            (Device(), false),
        ]
        for (device, expected) in cases {
            XCTAssertEqual(quirk.matches(device), expected, "\(device)")
        }
    }

    func testMatches_withoutAModel_isEveryModelOfTheManufacturer() {
        let quirk = HeartRateQuirk(manufacturer: "Acme", contact: .ignored)

        XCTAssertTrue(quirk.matches(Device(manufacturer: "Acme")))
        XCTAssertTrue(quirk.matches(Device(manufacturer: "Acme", model: "Heart 2")))
        XCTAssertFalse(quirk.matches(Device(manufacturer: "Apex", model: "Heart 2")))
    }

    func testFirstEntryThatKnows_wins() {
        let quirks = [
            HeartRateQuirk(manufacturer: "Acme", model: "A", contact: .ignored),
            HeartRateQuirk(manufacturer: "Acme", rrUnit: .standard),
            HeartRateQuirk(manufacturer: "Acme", rrUnit: .milliseconds, contact: .believed),
        ]

        XCTAssertEqual(quirks.rrUnit(of: Device(manufacturer: "Acme", model: "A")), .standard)
        XCTAssertEqual(quirks.contactBits(of: Device(manufacturer: "Acme", model: "A")), .ignored)
        XCTAssertEqual(quirks.contactBits(of: Device(manufacturer: "Acme", model: "B")), .believed)
        XCTAssertEqual(quirks.rrUnit(of: Device()), .standard)
    }

    func testTable_hasNoEntryThatAnEarlierOneHides() {
        for (index, quirk) in HeartRateQuirk.table.enumerated() {
            let device = Device(manufacturer: quirk.manufacturer, model: quirk.model)
            let earlier = HeartRateQuirk.table[..<index].filter { $0.matches(device) }
            XCTAssertTrue(quirk.rrUnit == nil || earlier.allSatisfy { $0.rrUnit == nil })
            XCTAssertTrue(quirk.contact == nil || earlier.allSatisfy { $0.contact == nil })
        }
    }

    /// The strings are those of a published listing of the strap's services.
    func testTable_aWhoop5SendsMilliseconds() throws {
        var adapter = GATTAdapter(profiles: [HeartRateProfile()])
        adapter.receive("57 48 4F 4F 50 20 49 6E 63 2E", on: .manufacturerName)
        adapter.receive("35 2E 30 00", on: .modelNumber)

        XCTAssertEqual(adapter.receive("10 3C E8 03", on: measurement).beats, [[1000]])
        XCTAssertEqual(adapter.receive("10 3C E8 03", on: measurement).ticksPerSecond, [1000])
    }

    func testTable_aWhoop4KeepsToTheService() throws {
        var adapter = GATTAdapter(profiles: [HeartRateProfile()])
        // It offers the manufacturer and no model.
        adapter.receive("57 48 4F 4F 50 20 49 6E 63 2E", on: .manufacturerName)

        XCTAssertEqual(adapter.receive("10 3C 00 04", on: measurement).ticksPerSecond, [1024])
    }

    func testAdapter_whenTheMakeComesLate_usesItFromThenOn() {
        var adapter = GATTAdapter(profiles: [HeartRateProfile()])
        XCTAssertEqual(adapter.receive("10 3C 00 04", on: measurement).ticksPerSecond, [1024])

        adapter.receive("35 2E 30 00", on: .modelNumber)
        XCTAssertEqual(adapter.receive("10 3C E8 03", on: measurement).ticksPerSecond, [1024])

        adapter.receive("57 48 4F 4F 50 20 49 6E 63 2E", on: .manufacturerName)
        XCTAssertEqual(adapter.receive("10 3C E8 03", on: measurement).ticksPerSecond, [1000])
    }

    func testDecode_whenContactIsIgnored_takesTheRateAndDoesNotKnowOfContact() throws {
        let profile = HeartRateProfile(
            quirks: [HeartRateQuirk(manufacturer: "Acme", contact: .ignored)])
        let device = Device(manufacturer: "Acme", model: "Heart 2")
        let rate = Reading.instant(.heartRate, try Quantity(80, .countPerMinute))
        let unknown = Reading.state(.contact(nil))
        let beats = Reading.beats(BeatsReading(ticks: [1024], perSecond: 1024))

        XCTAssertEqual(
            try profile.decode(bytes("14 50 00 04"), of: measurement, from: device),
            GATTDecoding([unknown, rate, beats]))
        XCTAssertEqual(
            try profile.decode(bytes("06 50"), of: measurement, from: device),
            GATTDecoding([unknown, rate]))
        XCTAssertEqual(
            try profile.decode(bytes("04 00"), of: measurement, from: device),
            GATTDecoding([unknown], drops: [.empty]))
        XCTAssertEqual(
            try profile.decode(bytes("04 50"), of: measurement, from: Device()),
            GATTDecoding([.state(.contact(false))]))
    }
}

extension GATTAdapter {
    @discardableResult
    fileprivate mutating func receive(
        _ hex: String, on characteristic: BluetoothUUID
    ) -> [AdapterAction] {
        let event = AdapterEvent.Kind.received(bytes(hex), on: Channel(characteristic))
        return handle(AdapterEvent(event, at: BootInstant(nanoseconds: 1)))
    }
}

extension [AdapterAction] {
    private var readings: [BeatsReading] {
        compactMap { action in
            guard case .reading(.beats(let beats)) = action else { return nil }
            return beats
        }
    }

    fileprivate var beats: [[UInt32]] { readings.map(\.ticks) }
    fileprivate var ticksPerSecond: [Double] { readings.map(\.perSecond) }
}
