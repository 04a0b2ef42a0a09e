import HealthModel
import XCTest

@testable import Platform
@testable import Readings

/// Tests that an adapter cannot request more than its allowance.
final class AdapterAllowanceTests: XCTestCase {
    /// An adapter that answers every event with the same actions.
    private struct Fixed: DeviceAdapter {
        var actions: [AdapterAction]

        mutating func handle(_ event: AdapterEvent) -> [AdapterAction] { actions }
    }

    private let heartRate = Reading.state(.contact(true))

    private func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds * 1e9))
    }

    func testReadings_inExcessAreCountedByStream() {
        let count = 2_000_000
        var session = AdapterSession(
            Fixed(actions: Array(repeating: .reading(.state(.battery(0.5))), count: count)))
        let outcome = session.handle(.received([1, 2], on: .stream), at: at(0))
        XCTAssertEqual(outcome.readings.count, 2_004)
        XCTAssertEqual(
            outcome.faults.counts.map(\.key), [.init(fault: .flood, stream: "battery")])
        XCTAssertEqual(outcome.readings.count + outcome.faults.total, count)
    }

    func testReadings_ofADeviceThatSendsBytesAreNeverInExcess() {
        var session = AdapterSession(
            Fixed(actions: Array(repeating: .reading(heartRate), count: 128)))
        for second in 0..<1_000 {
            let event = AdapterEvent.Kind.received(Array(repeating: 0, count: 64), on: .stream)
            let outcome = session.handle(event, at: at(Double(second) / 1_000))
            XCTAssertEqual(outcome.readings.count, 128)
            XCTAssertTrue(outcome.faults.isEmpty)
        }
    }

    func testReadings_withoutBytesAreLimitedPerSecond() {
        var session = AdapterSession(
            Fixed(actions: Array(repeating: .reading(heartRate), count: 1_000)))
        var count = 0
        for tick in 0..<1_000 {
            count += session.handle(.timer, at: at(Double(tick) / 100)).readings.count
        }
        XCTAssertEqual(Double(count), 2_000 + 10 * 1_000, accuracy: 20)
    }

    func testBeats_costAsMuchAsTheyHaveIntervals() {
        let beats = BeatsReading(ticks: Array(repeating: 800, count: 5_000), perSecond: 1_000)
        var session = AdapterSession(Fixed(actions: [.reading(.beats(beats))]))
        let outcome = session.handle(.received([0], on: .stream), at: at(0))
        XCTAssertTrue(outcome.readings.isEmpty)
        XCTAssertEqual(outcome.faults[.flood], 5_000)
    }

    func testTimers_areNeverSooner_andCounted() {
        var session = AdapterSession(Fixed(actions: [.wake(at: at(0)), .wake(at: at(-5))]))
        let outcome = session.handle(.timer, at: at(1))
        XCTAssertEqual(session.wakeTime, at(1.01))
        XCTAssertEqual(outcome.drops, [.flood: 2])
    }

    func testSends_andReads_areLimited() {
        let bytes = [UInt8](repeating: 0, count: 10_000)
        let actions = Array(
            repeating: [AdapterAction.send(bytes, on: .stream), .read(Channel("2a37"))],
            count: 5_000
        ).flatMap(\.self)
        var session = AdapterSession(Fixed(actions: actions))
        let outcome = session.handle(.opened, at: at(0))
        XCTAssertEqual(outcome.sends.count, 6)
        XCTAssertEqual(outcome.reads.count + outcome.sends.count, 2_000)
        XCTAssertEqual(outcome.drops, [.flood: 8_000])
    }
}
