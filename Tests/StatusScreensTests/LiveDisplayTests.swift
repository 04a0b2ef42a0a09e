import GatewayCore
import HealthModel
import XCTest

@testable import StatusScreens

final class LiveDisplayTests: XCTestCase {
    private let now = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
    private let strap = Device(name: "Strap", localIdentifier: "D0:11:22:33:44:55")

    private func entry(
        _ type: QuantityType, _ quantity: Quantity, of device: Device, count: Int
    ) throws -> LatestSubscription.Entry {
        let end = now.adding(nanoseconds: 1)
        let sample = try QuantitySample(
            id: RecordID.make(start: now, device: "d", stream: "s", key: 1), type: type, start: now,
            end: end, quantity: quantity, device: device)
        return LatestSubscription.Entry(record: .sample(sample), count: count)
    }

    func testLines_oneForEachDevice_withNewestValuesUnitsAndCount() throws {
        var display = LiveDisplay()
        let event = DeviceEvent(
            id: RecordID.make(start: now, device: "d", stream: "e", key: 1), at: now, device: strap,
            state: DeviceState(connection: .connected))
        display.update(LatestSubscription.Entry(record: .event(event), count: 1))
        display.update(
            try entry(.rrInterval, Quantity(833.0078125, .millisecond), of: strap, count: 3))
        display.update(try entry(.heartRate, Quantity(71, .countPerMinute), of: strap, count: 1))
        display.update(try entry(.heartRate, Quantity(72, .countPerMinute), of: strap, count: 2))
        let foot = Device(localIdentifier: "/dev/ttyUSB0")
        display.update(try entry(.stepCount, Quantity(2, .count), of: foot, count: 4))
        XCTAssertEqual(
            display.lines,
            [
                "Strap         heartRate 72 count/min  rrInterval 833.01 ms  5 samples",
                "/dev/ttyUSB0  stepCount 2 count  4 samples",
            ])
    }

    func testLines_valuesAreAligned_alsoBehindWideCharacters() throws {
        var display = LiveDisplay()
        for (name, identifier) in [("心拍計", "1"), ("Strap", "2")] {
            let device = Device(name: name, localIdentifier: identifier)
            display.update(try entry(.stepCount, Quantity(2, .count), of: device, count: 4))
        }
        XCTAssertEqual(
            display.lines,
            ["心拍計  stepCount 2 count  4 samples", "Strap   stepCount 2 count  4 samples"])
    }

    func testLines_categories_areShownByTheNameOfTheirValue() throws {
        var display = LiveDisplay()
        let sleep = try CategorySample(
            id: RecordID(high: 1, low: 1), type: .sleepAnalysis, start: now, end: now, value: 5,
            device: strap)
        display.update(LatestSubscription.Entry(record: .category(sleep), count: 2))
        XCTAssertEqual(display.lines, ["Strap  sleepAnalysis asleepREM  2 samples"])
    }

    func testLines_workouts_areShownByTheirActivity() throws {
        var display = LiveDisplay()
        let workout = try Workout(
            id: RecordID(high: 1, low: 1), activity: WorkoutActivity(.running), start: now,
            end: now.adding(nanoseconds: 60_000_000_000), device: strap)
        display.update(LatestSubscription.Entry(record: .workout(workout), count: 1))
        XCTAssertEqual(display.lines, ["Strap  workout running 1 min  1 samples"])
    }

    func testLines_deviceNamesDoNotDriveTheTerminal() throws {
        var display = LiveDisplay()
        let hostile = Device(name: "\u{1b}[2J", localIdentifier: "x")
        display.update(try entry(.stepCount, Quantity(2, .count), of: hostile, count: 4))
        XCTAssertFalse(display.lines[0].contains("\u{1b}"))
    }
}
