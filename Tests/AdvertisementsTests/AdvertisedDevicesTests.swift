import Bluetooth
import ByteDecoding
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Advertisements

/// A heart rate in one byte of manufacturer data; 0 is none, and 255 is no heart rate.
struct ByteFormat: AdvertisementFormat, AdvertisementDecoder {
    static let part = AdvertisementPart.manufacturerData(0xFFFF)
    let name = "byte"
    let parts = [Self.part]

    func makeDecoder(for address: BluetoothAddress) -> any AdvertisementDecoder { self }

    func decode(
        _ value: [UInt8], of part: AdvertisementPart
    ) throws(ByteDecodingError) -> AdvertisementDecoding {
        guard let first = value.first else { throw .truncated }
        guard first != 255 else { throw .invalid }
        guard first > 0 else { return AdvertisementDecoding(drops: [.empty]) }
        return AdvertisementDecoding([
            try .instant(.heartRate, Double(first), .countPerMinute)
        ])
    }
}

final class AdvertisedDevicesTests: XCTestCase {
    private var now = BootInstant(nanoseconds: 1_000_000_000_000)

    private func address(_ number: Int) throws -> BluetoothAddress {
        let (high, low) = (number / 256, number % 256)
        let text = [high, low].map { String($0 + 256, radix: 16).suffix(2) }.joined(separator: ":")
        return try XCTUnwrap(BluetoothAddress("D0:11:22:33:\(text)"))
    }

    private func makeDevices(named: Set<BluetoothAddress> = []) -> AdvertisedDevices {
        let context = ComponentContext(
            name: "ads", clock: ManualClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/nonexistent")
        return AdvertisedDevices(named: named, formats: [ByteFormat()], context: context)
    }

    private func receive(
        _ value: UInt8, from number: Int = 1, name: String? = "Strap",
        in devices: inout AdvertisedDevices
    ) throws -> [String] {
        let advertisement = Advertisement(
            address: try address(number), name: name, part: ByteFormat.part, value: [value])
        return devices.received(advertisement, at: now).map(\.words)
    }

    private func advance(_ seconds: Double) { now = now.adding(seconds: seconds) }

    func testFirstMeasurement_opensTheDevice_andRepetitionsShowThatItIsThere() throws {
        var devices = makeDevices()
        XCTAssertEqual(try receive(80, in: &devices), ["01 opened Strap", "01 readings 1"])
        XCTAssertEqual(try receive(80, in: &devices), ["01 seen"])
        XCTAssertEqual(try receive(81, in: &devices), ["01 readings 1"])
    }

    func testDataWithoutAMeasurement_opensNothing_andDataThatCannotBeUsedIsReported() throws {
        var devices = makeDevices()
        XCTAssertEqual(try receive(0, in: &devices), [])
        XCTAssertNil(devices.wakeTime)
        XCTAssertEqual(try receive(255, in: &devices), ["01 opened Strap", "01 dropped invalid"])
    }

    func testName_thatComesLater_isReported() throws {
        var devices = makeDevices()
        XCTAssertEqual(try receive(80, name: nil, in: &devices), ["01 opened -", "01 readings 1"])
        XCTAssertEqual(try receive(81, in: &devices), ["01 readings 1", "01 readings 1"])
    }

    func testSilence_isStaleAfterLearnedPauses_thenForgotten() throws {
        var devices = makeDevices()
        for value in 0..<20 {
            _ = try receive(UInt8(80 + value), in: &devices)
            advance(1)
        }
        advance(-1)
        let wake = try XCTUnwrap(devices.wakeTime)
        XCTAssertEqual(wake.seconds(since: now), 10, "three pauses, at least ten seconds")
        now = wake
        XCTAssertEqual(devices.wake(at: now).map(\.words), ["01 stale no advertisement for 10 s"])
        advance(5)
        XCTAssertEqual(try receive(90, in: &devices), ["01 link live", "01 readings 1"])
        now = try XCTUnwrap(devices.wakeTime)
        XCTAssertEqual(devices.wake(at: now).count, 1)
        now = try XCTUnwrap(devices.wakeTime)
        XCTAssertEqual(
            devices.wake(at: now).map(\.words),
            [
                "01 closed no advertisement for a long time",
                "01 link wanted no advertisement for a long time", "01 forgotten",
            ])
        XCTAssertNil(devices.wakeTime)
    }

    func testNamedDevice_isNotForgotten() throws {
        var devices = makeDevices(named: [try address(1)])
        _ = try receive(80, in: &devices)
        for _ in 0..<2 {
            now = try XCTUnwrap(devices.wakeTime)
            XCTAssertFalse(devices.wake(at: now).map(\.words).contains("01 forgotten"))
        }
        XCTAssertEqual(try receive(80, in: &devices), ["01 opened Strap", "01 readings 1"])
    }

    func testInterruption_closesEveryDevice_andTheNextMeasurementOpensItAgain() throws {
        var devices = makeDevices(named: [try address(2)])
        _ = try receive(80, in: &devices)
        XCTAssertEqual(
            devices.interrupt("gone", at: now).map(\.words),
            ["01 closed gone", "01 forgotten", "02 link wanted gone"])
        XCTAssertEqual(devices.resume(at: now).map(\.words), ["02 link wanted not received yet"])
        XCTAssertEqual(
            try receive(80, in: &devices), ["01 opened Strap", "01 seen"],
            "it still repeats the measurement")
        XCTAssertEqual(try receive(81, in: &devices), ["01 readings 1"])
        XCTAssertEqual(devices.resume(at: now).map(\.words), ["02 link wanted not received yet"])
    }

    func testInterruptedDevice_thatDoesNotComeBack_isForgottenOnce() throws {
        var devices = makeDevices()
        _ = try receive(80, in: &devices)
        _ = devices.interrupt("gone", at: now)
        now = try XCTUnwrap(devices.wakeTime)
        XCTAssertEqual(devices.wake(at: now).map(\.words), [])
        XCTAssertNil(devices.wakeTime)
        XCTAssertEqual(try receive(80, in: &devices), ["01 opened Strap", "01 readings 1"])
    }

    func testGarbageBetweenRepetitions_makesNoMeasurement() throws {
        var devices = makeDevices()
        _ = try receive(80, in: &devices)
        XCTAssertEqual(try receive(255, in: &devices), ["01 dropped invalid"])
        XCTAssertEqual(try receive(80, in: &devices), ["01 seen"])
        XCTAssertEqual(try receive(255, in: &devices), ["01 seen"], "it is counted once")
    }

    func testDevicesBeyondTheLimit_areCounted() throws {
        var devices = makeDevices(named: [try address(2_000)])
        for number in 1...AdvertisedDevices.deviceLimit {
            _ = try receive(80, from: number, in: &devices)
        }
        XCTAssertEqual(devices.excessCount, 0)
        XCTAssertEqual(try receive(80, from: 1_000, in: &devices), [])
        XCTAssertEqual(try receive(80, from: 1_000, in: &devices), [])
        XCTAssertEqual(devices.excessCount, 1)
        XCTAssertFalse(try receive(80, from: 2_000, in: &devices).isEmpty, "it is named")
        XCTAssertEqual(try receive(0, from: 1_001, in: &devices), [])
        XCTAssertEqual(devices.excessCount, 1, "data without a measurement needs no place")
    }

    func testDeviceBeyondTheLimit_takesThePlaceOfTheOneThatIsSilentLongest() throws {
        var devices = makeDevices()
        _ = try receive(80, from: 1, in: &devices)
        advance(1)
        for number in 2...AdvertisedDevices.deviceLimit {
            _ = try receive(80, from: number, in: &devices)
        }
        advance(58)
        XCTAssertEqual(try receive(80, from: 1_000, in: &devices), [])
        XCTAssertEqual(devices.excessCount, 1)
        advance(1)
        XCTAssertEqual(
            try receive(80, from: 1_000, in: &devices),
            [
                "01 closed replaced by a device that is received", "01 forgotten",
                "E8 opened Strap", "E8 readings 1",
            ])
        XCTAssertEqual([devices.excessCount, devices.replacedCount], [0, 1])
        XCTAssertEqual(try receive(80, from: 1_001, in: &devices), [])
    }

    func testDeviceWithAMeasurement_takesThePlaceOfOneThatHasSentNone() throws {
        var devices = makeDevices()
        for number in 1...AdvertisedDevices.deviceLimit {
            _ = try receive(number == 7 ? 255 : 80, from: number, in: &devices)
        }
        XCTAssertEqual(try receive(255, from: 1_000, in: &devices), [])
        XCTAssertEqual(
            try receive(80, from: 1_000, in: &devices).first?.hasPrefix("07 closed"), true)
        XCTAssertEqual(try receive(80, from: 1_001, in: &devices), [])
    }

    func testExcess_isThatOfTheLastMinute() throws {
        var devices = makeDevices()
        for number in 1...AdvertisedDevices.deviceLimit {
            _ = try receive(80, from: number, in: &devices)
        }
        for number in 1_000..<1_010 { _ = try receive(80, from: number, in: &devices) }
        XCTAssertEqual(devices.excessCount, 10)
        advance(30)
        _ = try receive(80, from: 1_001, in: &devices)
        advance(30)
        XCTAssertEqual(devices.wakeTime, now)
        _ = devices.wake(at: now)
        XCTAssertEqual(devices.excessCount, 1)
    }
}

extension DeviceReport {
    /// The report in a few words, with the last byte of the address.
    var words: String { "\(device.suffix(2)) \(contentWords)" }

    private var contentWords: String {
        switch content {
        case .opened(let device, _): "opened \(device.name ?? "-")"
        case .readings(let readings): "readings \(readings.count)"
        case .dropped(let counts): "dropped \(counts.keys.map(\.rawValue).joined(separator: " "))"
        case .seen: "seen"
        case .stale(_, let reason): "stale \(reason)"
        case .closed(_, let reason): "closed \(reason)"
        case .link(let state, let reason):
            (["link", state.rawValue] + [reason].compactMap(\.self)).joined(separator: " ")
        case .forgotten: "forgotten"
        default: "\(content)"
        }
    }
}
