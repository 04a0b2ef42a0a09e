import DBus
import Platform
import XCTest

@testable import Bluetooth

final class DiscoveryTests: XCTestCase {
    private var discovery = Discovery()
    private var now = BootInstant(nanoseconds: 1_000_000_000_000)

    override func setUp() {
        discovery = Discovery()
        now = BootInstant(nanoseconds: 1_000_000_000_000)
    }

    private func steer(_ isWanted: Bool = true) -> Discovery.Step? {
        discovery.steer(isWanted: isWanted, at: now)
    }

    private func answer(_ step: Discovery.Step, _ error: BusError? = nil) -> Discovery.Step? {
        discovery.answered(step, error, at: now)
    }

    private func pass(_ seconds: Double) { now = now.adding(seconds: seconds) }

    private var wait: Double? { discovery.wakeTime?.seconds(since: now) }

    private func turnOn() {
        XCTAssertEqual(steer(), .setFilter)
        XCTAssertEqual(answer(.setFilter), .start)
        XCTAssertNil(answer(.start))
    }

    func testSteer_whenWanted_setsTheFilterThenStarts() {
        turnOn()

        XCTAssertNil(steer())
        XCTAssertEqual(wait, 120)
    }

    func testSteer_whenNotWanted_doesNothing() {
        XCTAssertNil(steer(false))
        XCTAssertNil(wait)
    }

    func testSteer_whileAStepIsUnderWay_doesNothing() {
        _ = steer()
        XCTAssertNil(steer())
        XCTAssertNil(steer(false))
        _ = answer(.setFilter)
        XCTAssertNil(steer())
        XCTAssertNil(steer(false))
        _ = answer(.start)
        XCTAssertEqual(steer(false), .stop)
        XCTAssertNil(steer())
        XCTAssertNil(steer(false))
    }

    func testSteer_whenNotWantedAnyMore_stopsAtOnce() {
        turnOn()

        XCTAssertEqual(steer(false), .stop)
        XCTAssertNil(answer(.stop))
        XCTAssertNil(steer(false))
    }

    func testStart_whenASessionIsThereAlready_isOn() {
        _ = steer()
        _ = answer(.setFilter)

        XCTAssertNil(answer(.start, .bluez("InProgress")))

        XCTAssertEqual(steer(false), .stop)
    }

    func testBeginAnew_stopsAndStartsNotSoonerThanASecondAfterTheLastStart() {
        turnOn()
        pass(0.4)
        discovery.beginAnew()

        XCTAssertNil(steer())
        XCTAssertEqual(wait ?? 0, 0.6, accuracy: 0.001)
        pass(0.6)
        XCTAssertEqual(steer(), .stop)
        XCTAssertNil(answer(.stop))
        XCTAssertEqual(steer(), .setFilter)
        XCTAssertEqual(answer(.setFilter), .start)
        XCTAssertNil(answer(.start))
        XCTAssertNil(steer(), "once is enough")
    }

    func testBeginAnew_whenOff_needsNothingMoreThanTheNextSession() {
        discovery.beginAnew()
        turnOn()
        pass(10)

        XCTAssertNil(steer())
    }

    /// A device that fails and is sought in turn must not make bluetoothd start and stop all the time.
    func testSessions_areNotMoreThanOneASecond() {
        var starts = 0
        for step in 0..<100 {
            discovery.beginAnew()
            var next = steer(step % 2 == 0)
            while let asked = next {
                if asked == .start { starts += 1 }
                next = answer(asked)
            }
            pass(0.1)
        }
        XCTAssertLessThanOrEqual(starts, 11)
        XCTAssertGreaterThanOrEqual(starts, 5)
    }

    func testOn_afterLong_beginsAnewByItself() {
        turnOn()
        pass(119)
        XCTAssertNil(steer())
        XCTAssertEqual(wait, 1)

        pass(1)

        XCTAssertEqual(steer(), .stop)
        XCTAssertNil(answer(.stop))
        XCTAssertEqual(steer(), .setFilter)
    }

    func testFailures_areRepeatedMoreAndMoreSlowly() {
        var waits: [Double] = []
        for attempt in 0..<9 {
            XCTAssertEqual(steer(), .setFilter)
            if attempt % 2 == 0 {
                XCTAssertNil(answer(.setFilter, .bluez("NotReady")))
            } else {
                _ = answer(.setFilter)
                XCTAssertNil(answer(.start, .timedOut))
            }
            XCTAssertNil(steer())
            waits.append(wait ?? 0)
            pass(wait ?? 0)
        }
        for (wait, step) in zip(waits, [1.0, 2, 4, 8, 16, 32, 60, 60, 60]) {
            XCTAssertLessThanOrEqual(wait, step)
            XCTAssertGreaterThanOrEqual(wait, step * 0.74)
        }
        turnOn()
        _ = steer(false)
        _ = answer(.stop)
        pass(1)
        _ = steer()
        _ = answer(.setFilter, .bluez("NotReady"))
        _ = steer()
        XCTAssertLessThanOrEqual(wait ?? 9, 1, "a success makes failures forgotten")
    }

    func testStop_whenBlueZIsBusy_isRepeatedWithOneMoreStart() {
        turnOn()
        XCTAssertEqual(steer(false), .stop)

        XCTAssertEqual(answer(.stop, .bluez("InProgress")), .start)
        XCTAssertEqual(answer(.start), .stop)
        XCTAssertNil(answer(.stop))
        pass(1)
        XCTAssertEqual(steer(), .setFilter)
    }

    func testStop_whenBlueZStaysBusy_isNotRepeatedForEver() {
        turnOn()
        _ = steer(false)
        _ = answer(.stop, .bluez("InProgress"))

        XCTAssertEqual(answer(.start, .bluez("InProgress")), .stop)
        XCTAssertNil(answer(.stop, .bluez("InProgress")))
        pass(1)
        XCTAssertEqual(steer(), .setFilter)
    }

    func testStop_whenItFails_isOffAllTheSame() {
        turnOn()
        _ = steer(false)

        XCTAssertNil(answer(.stop, .failed("No discovery started")))
        pass(1)
        XCTAssertEqual(steer(), .setFilter)
    }

    func testAnswers_whichNobodyWaitsFor_changeNothing() {
        for step in [Discovery.Step.setFilter, .start, .stop] { XCTAssertNil(answer(step)) }
        _ = steer()
        XCTAssertNil(answer(.start))
        XCTAssertNil(answer(.stop))
        XCTAssertEqual(answer(.setFilter), .start)
        XCTAssertNil(answer(.setFilter))
    }

    func testCalls() {
        let filter: [String: BusValue] = ["Transport": .string("le")]
        let calls = [Discovery.Step.setFilter, .start, .stop].map {
            $0.call(on: "/org/bluez/hci0", filter: filter)
        }

        XCTAssertEqual(
            calls.map(\.member), ["SetDiscoveryFilter", "StartDiscovery", "StopDiscovery"])
        XCTAssertEqual(calls.map(\.body), [[.properties(filter)], [], []])
        XCTAssertEqual(Set(calls.map(\.interface)), [BlueZName.adapter])
    }
}
