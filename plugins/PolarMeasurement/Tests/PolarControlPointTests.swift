import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import PolarMeasurement

/// The dialogue with the control point, on a clock of the test.
final class PolarControlPointTests: XCTestCase {
    private typealias Profile = PolarMeasurementProfile

    /// An H10 has the electrocardiogram and acceleration.
    private static let features = "0F 05 00"
    private static let settingsRequest: [UInt8] = [1, 2]
    /// 25, 50, 100 and 200 values a second of 16 bits, in a range of 2, 4 and 8 g.
    private static let offers =
        "F0 01 02 00 00 00 04 19 00 32 00 64 00 C8 00 01 01 10 00 02 03 02 00 04 00 08 00"
    private static let start: [UInt8] = [2, 2, 0, 1, 50, 0, 1, 1, 16, 0, 2, 1, 8, 0]
    private static let electrocardiogram: [UInt8] = [2, 0, 0, 1, 130, 0, 1, 1, 14, 0]
    private static let head = "02 00 94 35 77 00 00 00 00"

    private var now = BootInstant(nanoseconds: 1_000_000_000)

    func testAcceleration_isRequestedWithSettingsThatTheSensorOffers() throws {
        var decoder = Profile(acceleration: true).makeDecoder()
        XCTAssertEqual(try control(Self.features, &decoder), writes([Self.settingsRequest]))
        XCTAssertEqual(try control(Self.offers, &decoder), writes([Self.start]))
        XCTAssertEqual(try control("F0 02 02 00 00", &decoder), GATTDecoding())
        let decoding = try frame("\(Self.head) 01 E8 03 00 00 18 FC", &decoder)
        XCTAssertEqual(
            try decoding.readings.map { try XCTUnwrap($0.waveformValues) },
            [[9.80665], [0], [-9.80665]])
    }

    /// A Verity Sense has one rate, one range and a number of channels, and says the factor.
    func testSettings_ofAnOpticalSensor() throws {
        var decoder = Profile(acceleration: true).makeDecoder()
        _ = try control("0F 6F", &decoder)
        XCTAssertEqual(
            try control("F0 01 02 00 00 00 01 34 00 01 01 10 00 02 01 08 00 04 01 03", &decoder),
            writes([[2, 2, 0, 1, 52, 0, 1, 1, 16, 0, 2, 1, 8, 0, 4, 1, 3]]))
        // 2^-12, which every binary number can hold.
        XCTAssertEqual(
            try control("F0 02 02 00 00 05 01 00 00 80 39", &decoder), GATTDecoding())
        let decoding = try frame("\(Self.head) 80 00 10 00 F0 00 00", &decoder)
        XCTAssertEqual(
            try decoding.readings.map { try XCTUnwrap($0.waveformValues) },
            [[9.80665], [-9.80665], [0]])
        guard case .waveform(let waveform) = decoding.readings[0] else { return XCTFail() }
        XCTAssertEqual(waveform.perSecond, 52)
    }

    func testRate_isTheLowestFrom50On_orElseTheHighest() throws {
        for (offered, rate) in [
            ("00 03 C8 00 64 00 32 00", 50), ("00 02 64 00 C8 00", 100), ("00 02 0D 00 1A 00", 26),
        ] {
            let settings = try PolarSettings(bytes(offered))
            XCTAssertEqual(settings.rate(atLeast: 50), UInt32(rate))
        }
        XCTAssertNil(try PolarSettings(bytes("00 01 00 00 01 01 10 00")).rate(atLeast: 50))
    }

    func testSettings_thatComeInSeveralValues_arePutTogether() throws {
        var decoder = Profile(acceleration: true).makeDecoder()
        _ = try control(Self.features, &decoder)
        XCTAssertEqual(
            try control("F0 01 02 00 01 00 04 19 00 32 00 64", &decoder), GATTDecoding())
        XCTAssertEqual(
            try control("F0 01 02 00 00 00 C8 00 01 01 10 00 02 01 08 00", &decoder),
            writes([Self.start]))
    }

    func testSettings_thatCannotBeRead_areRefused() throws {
        for (offers, error) in [
            ("00 01 32", ByteDecodingError.truncated), ("07 01 32 00", .unknown),
            ("01 01 10 00", .invalid), ("06 01 00 01", .truncated),
        ] {
            var decoder = Profile(acceleration: true).makeDecoder()
            _ = try control(Self.features, &decoder)
            XCTAssertThrowsError(try control("F0 01 02 00 00 \(offers)", &decoder)) {
                XCTAssertEqual($0 as? ByteDecodingError, error, offers)
            }
        }
    }

    func testSettings_withoutEnd_areBounded() throws {
        var decoder = Profile(acceleration: true).makeDecoder()
        _ = try control(Self.features, &decoder)
        let part = "F0 01 02 00 01" + String(repeating: " 00", count: 200)
        XCTAssertEqual(try control(part, &decoder), GATTDecoding())
        XCTAssertEqual(try control(part, &decoder), GATTDecoding())
        XCTAssertThrowsError(try control(part, &decoder))
        XCTAssertEqual(try control(Self.offers, &decoder), writes([Self.start]))
    }

    /// The other measurements continue, and the sensor is not asked again.
    func testSensorWithoutAcceleration_isReported() throws {
        var decoder = Profile(electrocardiogram: true, acceleration: true).makeDecoder()
        XCTAssertEqual(
            try control("0F 01 00", &decoder),
            GATTDecoding(drops: [.unavailable], writes: writes([Self.electrocardiogram]).writes))
        for response in ["F0 01 02 03", "F0 02 02 02 00", "F0 01 02 01"] {
            XCTAssertEqual(
                try control(response, &decoder), GATTDecoding(drops: [.unavailable]), response)
        }
        _ = try control("F0 02 00 00 00", &decoder)
        now = now.adding(seconds: 9)
        _ = try frame("00 01 00 00 00 01 00 00 00 00 08 00 00", &decoder)
        now = now.adding(seconds: 9.9)
        XCTAssertEqual(decoder.wake(at: now), GATTDecoding())
    }

    func testRefusal_ofAnInvalidState_isRepeated() throws {
        var decoder = Profile(acceleration: true).makeDecoder()
        _ = try control(Self.features, &decoder)
        XCTAssertEqual(
            try control("F0 01 02 0D", &decoder),
            GATTDecoding(
                drops: [.unavailable], writes: writes([Self.settingsRequest]).writes))
        _ = try control(Self.offers, &decoder)
        XCTAssertEqual(
            try control("F0 02 02 0C", &decoder),
            GATTDecoding(drops: [.unavailable], writes: writes([Self.start]).writes))
        XCTAssertEqual(try control("01 02", &decoder), writes([Self.start]))
    }

    /// Without its factor a compressed value may be anything; the sensor says it at the start.
    func testFrames_withoutTheirFactor_areNotUsed_andTheMeasurementIsStartedAgain() throws {
        var decoder = Profile(acceleration: true).makeDecoder()
        XCTAssertThrowsError(try frame("\(Self.head) 80 00 10 00 F0 00 00", &decoder))
        _ = try control(Self.features, &decoder)
        _ = try control(Self.offers, &decoder)
        XCTAssertEqual(try control("F0 02 02 06", &decoder), GATTDecoding())
        let decoding = try frame("\(Self.head) 80 00 10 00 F0 00 00", &decoder)
        XCTAssertEqual(decoding.readings, [])
        XCTAssertEqual(decoding.drops, [.unknown])
        XCTAssertEqual(decoding.writes.map(\.bytes), [[3, 2], Self.start])
    }

    func testFactor_thatIsNoPositiveNumber_isNone() throws {
        for factor in ["00 00 C0 7F", "00 00 80 7F", "00 00 00 00", "00 00 80 BF"] {
            XCTAssertNil(try PolarSettings(bytes("05 01 \(factor)")).factor, factor)
        }
    }

    /// The electrocardiogram stops, and acceleration continues.
    func testMeasurementThatFallsSilent_isRequestedAgain() throws {
        var decoder = Profile(electrocardiogram: true, acceleration: true).makeDecoder()
        _ = try control(Self.features, &decoder)
        _ = try control(Self.offers, &decoder)
        _ = try control("F0 02 00 00 00", &decoder)
        _ = try control("F0 02 02 00 00", &decoder)
        for _ in 0..<19 {
            now = now.adding(seconds: 0.5)
            XCTAssertEqual(decoder.wake(at: now), GATTDecoding())
            _ = try frame("\(Self.head) 01 E8 03 00 00 18 FC", &decoder)
        }
        now = now.adding(seconds: 0.5)
        XCTAssertEqual(decoder.wakeTime, now)
        let again = decoder.wake(at: now)
        XCTAssertEqual(again.drops, [.silent])
        XCTAssertEqual(again.writes.map(\.bytes), [[3, 0], Self.electrocardiogram])
        XCTAssertEqual(decoder.wake(at: now), GATTDecoding(), "once")
        // It begins again, and is expected again.
        _ = try control("F0 02 00 00 00", &decoder)
        now = now.adding(seconds: 9.5)
        XCTAssertEqual(decoder.wake(at: now).writes.map(\.bytes), [[3, 2], Self.start])
        now = now.adding(seconds: 0.5)
        XCTAssertEqual(decoder.wake(at: now).drops, [.silent])
    }

    /// The sensor neither answers nor sends anything; a request is written once a minute.
    func testRequestWithoutAnswer_isRepeated() throws {
        var decoder = Profile(acceleration: true).makeDecoder()
        _ = try control(Self.features, &decoder)
        now = now.adding(seconds: 74.9)
        XCTAssertEqual(decoder.wake(at: now), GATTDecoding())
        now = now.adding(seconds: 0.1)
        XCTAssertEqual(decoder.wake(at: now).writes.map(\.bytes), [[3, 2], Self.settingsRequest])
    }

    /// Intervals come only when there is a pulse.
    func testPulseIntervals_mayBeSilent() throws {
        var decoder = Profile().makeDecoder()
        _ = try control("0F 0F", &decoder)
        _ = try control("F0 02 03 00 00", &decoder)
        XCTAssertNil(decoder.wakeTime)
    }

    func testAcceleration_isASetting() throws {
        for (value, isWanted) in [("true", true), ("false", false)] {
            let settings = try ConfigurationNode(
                json5: "{ use: \"polarMeasurement\", acceleration: \(value) }")
            let decoding = try Profile.factory.make(settings).decode(
                bytes("0F 04"), of: Profile.controlPoint, from: Device())
            XCTAssertEqual(decoding.writes.map(\.bytes), isWanted ? [Self.settingsRequest] : [])
        }
    }

    private func writes(_ requests: [[UInt8]]) -> GATTDecoding {
        GATTDecoding(
            writes: requests.map { GATTWrite($0, to: Profile.controlPoint, isPersistent: true) })
    }

    private func control(_ value: String, _ decoder: inout any GATTDecoder) throws -> GATTDecoding {
        try decoder.decode(bytes(value), of: Profile.controlPoint, from: Device(), at: now)
    }

    private func frame(_ value: String, _ decoder: inout any GATTDecoder) throws -> GATTDecoding {
        try decoder.decode(bytes(value), of: Profile.measurements, from: Device(), at: now)
    }
}

extension Reading {
    fileprivate var waveformValues: [Double]? {
        if case .waveform(let waveform) = self { waveform.values } else { nil }
    }
}
