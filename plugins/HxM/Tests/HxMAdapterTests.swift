import GatewayCore
import HealthModel
import Platform
import Readings
import XCTest

@testable import HxM

final class HxMAdapterTests: XCTestCase {
    private let opened = AdapterEvent(.opened, at: BootInstant(nanoseconds: 0))

    private func received(_ bytes: [UInt8]) -> AdapterEvent {
        AdapterEvent(.received(bytes, on: .stream), at: BootInstant(nanoseconds: 1))
    }

    private func chest() throws -> Metadata {
        try Metadata(["HKHeartRateSensorLocation": .number(1)])
    }

    private func identity(firmware: String = "9500.0026.V1f") -> AdapterAction {
        .reading(
            .identity(
                Device(
                    manufacturer: "Zephyr", model: "HxM BT", hardwareVersion: "9800.0080.V1d",
                    firmwareVersion: firmware)))
    }

    /// What a packet says every time.
    private func measured(
        heartRate: Double?, ticks: [UInt32], beat: UInt32, time: UInt32, strides: Double,
        distance: Double, speed: Double
    ) throws -> [AdapterAction] {
        var readings: [Reading] = [.state(.contact(heartRate != nil))]
        let history = BeatsReading.History(
            newestBeat: beat, beatModulus: 256, newestTime: time, timeModulus: 65_536)
        if let heartRate {
            readings += [
                .instant(.heartRate, try Quantity(heartRate, .countPerMinute)),
                .beats(BeatsReading(ticks: ticks, perSecond: 1000, history: history)),
            ]
        }
        readings += [
            .counter(
                CounterReading(
                    .stepCount, value: strides, range: .rollsOver(at: 128), unit: .count,
                    countsPerUnit: 0.5)),
            .counter(
                CounterReading(
                    .distanceWalkingRunning, value: distance, range: .rollsOver(at: 4096),
                    unit: .meter, countsPerUnit: 16)),
            .instant(.runningSpeed, try Quantity(speed, .meterPerSecond)),
        ]
        return readings.map { .reading($0) }
    }

    private let h1Ticks: [UInt32] = [
        804, 820, 816, 792, 824, 844, 820, 776, 340, 436, 812, 796, 784, 792,
    ]

    func testHandle_theFirstPacketReportsEverything() throws {
        var adapter = HxMAdapter()
        XCTAssertEqual(adapter.handle(opened), [])
        let changes: [AdapterAction] = [
            identity(), .reading(.metadata(try chest(), for: .heartRate)),
            .reading(.state(.battery(1))),
        ]
        XCTAssertEqual(
            adapter.handle(received(Packets.h1)),
            changes
                + (try measured(
                    heartRate: 75, ticks: h1Ticks, beat: 85, time: 41, strides: 12, distance: 237,
                    speed: 150.0 / 256)))
    }

    func testHandle_theNextPacketSaysOnlyWhatIsMeasured() throws {
        var adapter = HxMAdapter()
        _ = adapter.handle(received(Packets.h1))
        XCTAssertEqual(
            adapter.handle(received(Packets.h1)),
            try measured(
                heartRate: 75, ticks: h1Ticks, beat: 85, time: 41, strides: 12, distance: 237,
                speed: 150.0 / 256))
    }

    func testHandle_whenBatteryOrFirmwareChanges_reportsIt() throws {
        var adapter = HxMAdapter()
        _ = adapter.handle(received(Packets.h1))
        let lower = adapter.handle(received(Packets.changing([11: 90])))
        XCTAssertEqual(lower.first, .reading(.state(.battery(0.9))))
        XCTAssertEqual(lower.count, 7)
        let newer = adapter.handle(received(Packets.changing([3: 0x10, 4: 0x27, 11: 90])))
        XCTAssertEqual(newer.first, identity(firmware: "9500.10000.V1f"))
        XCTAssertEqual(newer.count, 7)
    }

    func testHandle_whenNoHeartRate_reportsThatThereIsNoContactAndNoBeats() throws {
        var adapter = HxMAdapter()
        _ = adapter.handle(received(Packets.h1))
        XCTAssertEqual(
            adapter.handle(received(Packets.changing([12: 0]))),
            try measured(
                heartRate: nil, ticks: h1Ticks, beat: 85, time: 41, strides: 12, distance: 237,
                speed: 150.0 / 256))
    }

    func testHandle_whenEveryCounterRollsOver_reportsThemAsTheyAre() throws {
        var adapter = HxMAdapter()
        _ = adapter.handle(received(Packets.h7))
        XCTAssertEqual(
            adapter.handle(received(Packets.h8)),
            try measured(
                heartRate: 75, ticks: [UInt32](repeating: 800, count: 14), beat: 0, time: 64_800,
                strides: 2, distance: 6, speed: 1.5))
    }

    func testHandle_whenIntervalsAreAbsurd_handsThemOn() throws {
        var adapter = HxMAdapter()
        _ = adapter.handle(received(Packets.h1))
        let zeros = Dictionary(uniqueKeysWithValues: (14..<44).map { ($0, UInt8(0)) })
        XCTAssertEqual(
            adapter.handle(received(Packets.changing(zeros))),
            try measured(
                heartRate: 75, ticks: [UInt32](repeating: 0, count: 14), beat: 85, time: 0,
                strides: 12, distance: 237, speed: 150.0 / 256))
    }

    func testHandle_whenAFieldIsForbidden_isInvalidAndChangesNothing() {
        var adapter = HxMAdapter()
        XCTAssertEqual(
            adapter.handle(received(Packets.changing([12: 241]))), [.dropped(.invalid)])
        XCTAssertEqual(adapter.handle(received(Packets.h1)).first, identity())
    }

    func testHandle_whenDamaged_countsItOnce() {
        var adapter = HxMAdapter()
        var damaged = Packets.h1
        damaged[20] ^= 1
        XCTAssertEqual(adapter.handle(received(damaged)), [.dropped(.damaged)])
        XCTAssertEqual(adapter.handle(received(Packets.h1)).first, identity())
    }

    func testHandle_whenOpenedAgain_reportsEverythingAgain() {
        for kind in [AdapterEvent.Kind.opened, .closed] {
            var adapter = HxMAdapter()
            let first = adapter.handle(received(Packets.h1))
            _ = adapter.handle(received(Array(Packets.h1.prefix(30))))
            XCTAssertEqual(adapter.handle(AdapterEvent(kind, at: BootInstant(nanoseconds: 2))), [])
            XCTAssertEqual(adapter.handle(received(Packets.h1)), first)
        }
    }
}
