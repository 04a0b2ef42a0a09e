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
        isDiscovering = nil
    }

    /// The property `Discovering`; nil for an adapter without it.
    private var isDiscovering: Bool?

    private func nextStep(_ isWanted: Bool = true) -> Discovery.Step? {
        discovery.nextStep(isWanted: isWanted, isDiscovering: isDiscovering, at: now)
    }

    private func answer(_ step: Discovery.Step, _ error: BusError? = nil) -> Discovery.Step? {
        discovery.answered(step, error, at: now)
    }

    private func pass(_ seconds: Double) { now = now.adding(seconds: seconds) }

    private var wait: Double? { discovery.wakeTime?.seconds(since: now) }

    private func turnOn() {
        XCTAssertEqual(nextStep(), .setFilter)
        XCTAssertEqual(answer(.setFilter), .start)
        XCTAssertNil(answer(.start))
    }

    func testNextStep_whenWanted_setsTheFilterThenStarts() {
        turnOn()

        XCTAssertNil(nextStep())
        XCTAssertEqual(wait, 120)
    }

    func testNextStep_whenNotWanted_doesNothing() {
        XCTAssertNil(nextStep(false))
        XCTAssertNil(wait)
    }

    func testNextStep_whileAStepIsUnderWay_doesNothing() {
        _ = nextStep()
        XCTAssertNil(nextStep())
        XCTAssertNil(nextStep(false))
        _ = answer(.setFilter)
        XCTAssertNil(nextStep())
        XCTAssertNil(nextStep(false))
        _ = answer(.start)
        XCTAssertEqual(nextStep(false), .stop)
        XCTAssertNil(nextStep())
        XCTAssertNil(nextStep(false))
    }

    func testNextStep_whenNotWantedAnyMore_stopsImmediately() {
        turnOn()

        XCTAssertEqual(nextStep(false), .stop)
        XCTAssertNil(answer(.stop))
        XCTAssertNil(nextStep(false))
    }

    func testStart_whenASessionIsThereAlready_isOn() {
        _ = nextStep()
        _ = answer(.setFilter)

        XCTAssertNil(answer(.start, .bluez("InProgress")))

        XCTAssertEqual(nextStep(false), .stop)
    }

    func testRestart_stopsAndStartsNotSoonerThanASecondAfterTheLastStart() {
        turnOn()
        pass(0.4)
        discovery.requestRestart()

        XCTAssertNil(nextStep())
        XCTAssertEqual(wait ?? 0, 0.6, accuracy: 0.001)
        pass(0.6)
        XCTAssertEqual(nextStep(), .stop)
        XCTAssertNil(answer(.stop))
        XCTAssertEqual(nextStep(), .setFilter)
        XCTAssertEqual(answer(.setFilter), .start)
        XCTAssertNil(answer(.start))
        XCTAssertNil(nextStep(), "once is enough")
    }

    func testRestart_whenOff_needsNothingMoreThanTheNextSession() {
        discovery.requestRestart()
        turnOn()
        pass(10)

        XCTAssertNil(nextStep())
    }

    /// A failing device must not make bluetoothd start and stop discovery all the time.
    func testSessions_areNotMoreThanOneASecond() {
        var starts = 0
        for step in 0..<100 {
            discovery.requestRestart()
            var next = nextStep(step % 2 == 0)
            while let asked = next {
                if asked == .start { starts += 1 }
                next = answer(asked)
            }
            pass(0.1)
        }
        XCTAssertLessThanOrEqual(starts, 11)
        XCTAssertGreaterThanOrEqual(starts, 5)
    }

    func testOn_afterLong_restartsByItself() {
        turnOn()
        pass(119)
        XCTAssertNil(nextStep())
        XCTAssertEqual(wait, 1)

        pass(1)

        XCTAssertEqual(nextStep(), .stop)
        XCTAssertNil(answer(.stop))
        XCTAssertEqual(nextStep(), .setFilter)
    }

    func testFailures_areRepeatedAtOnceForAWhile_thenSlowly() {
        var waits: [Double] = []
        for attempt in 0..<17 {
            XCTAssertEqual(nextStep(), .setFilter)
            if attempt % 2 == 0 {
                XCTAssertNil(answer(.setFilter, .bluez("NotReady")))
            } else {
                _ = answer(.setFilter)
                XCTAssertNil(answer(.start, .timedOut))
            }
            XCTAssertNil(nextStep())
            waits.append(wait ?? 0)
            pass(wait ?? 0)
        }
        let steps = [0.25] + Array(repeating: 0.5, count: 13) + [4, 4, 4]
        for (wait, step) in zip(waits, steps) {
            XCTAssertLessThanOrEqual(wait, step)
            XCTAssertGreaterThanOrEqual(wait, step * 0.74)
        }
        turnOn()
        _ = nextStep(false)
        _ = answer(.stop)
        pass(1)
        _ = nextStep()
        _ = answer(.setFilter, .bluez("NotReady"))
        _ = nextStep()
        XCTAssertLessThanOrEqual(wait ?? 9, 0.25, "a success makes failures forgotten")
    }

    private let refusal = BusError.bluez("InvalidArguments", "Invalid arguments")

    func testFilter_whenItIsRefused_isMadeShorterAndThenLeftOut() {
        XCTAssertEqual(nextStep(), .setFilter)
        XCTAssertEqual(discovery.filter, .full)

        XCTAssertEqual(answer(.setFilter, refusal), .setFilter)
        XCTAssertEqual(discovery.filter, .transport)
        XCTAssertEqual(answer(.setFilter, refusal), .start)
        XCTAssertEqual(discovery.filter, .noFilter)
        XCTAssertNil(answer(.start))
        XCTAssertNil(nextStep())
        XCTAssertEqual(wait, 120, "it discovers without a filter")
        XCTAssertEqual(discovery.refusedFilterCount, 2)
    }

    func testFilter_thatWasRefused_isNotTriedForEverySession() {
        _ = nextStep()
        _ = answer(.setFilter, refusal)
        _ = answer(.setFilter, refusal)
        _ = answer(.start)
        XCTAssertNil(nextStep())
        pass(5)
        discovery.requestRestart()
        XCTAssertEqual(nextStep(), .stop)
        _ = answer(.stop)

        XCTAssertEqual(nextStep(), .start)
        _ = answer(.start)
        XCTAssertNil(nextStep())
        pass(120)
        XCTAssertEqual(nextStep(), .stop)
        _ = answer(.stop)
        XCTAssertEqual(nextStep(), .setFilter, "a new daemon may accept it")
        XCTAssertEqual(discovery.filter, .full)
    }

    func testFailure_isKnownWithItsReasonUntilTheAdapterDiscovers() {
        XCTAssertNil(discovery.failure)
        for count in 1...3 {
            _ = nextStep()
            _ = answer(.setFilter, .bluez("NotReady"))
            XCTAssertEqual(discovery.failure?.count, count)
            pass(4)
        }
        XCTAssertEqual(discovery.failure?.reason, "org.bluez.Error.NotReady")
        isDiscovering = false
        turnOn()
        pass(1)
        _ = nextStep()
        _ = answer(.stop)
        XCTAssertEqual(discovery.failure?.count, 4)
        XCTAssertEqual(discovery.failure?.reason, "the adapter does not start to discover")
        pass(4)

        turnOn()
        isDiscovering = true
        _ = nextStep()

        XCTAssertNil(discovery.failure)
    }

    func testStart_whenTheAdapterDoesNotShowIt_isRepeatedAfterASecond() {
        isDiscovering = false
        turnOn()
        XCTAssertNil(nextStep())
        XCTAssertEqual(wait, 1)

        pass(1)

        XCTAssertEqual(nextStep(), .stop)
        XCTAssertNil(answer(.stop))
        XCTAssertNil(nextStep())
        XCTAssertLessThanOrEqual(wait ?? 9, 0.25)
        pass(wait ?? 0)
        XCTAssertEqual(nextStep(), .setFilter)
    }

    func testStart_whenAnsweredInProgressAndNotShown_isRepeatedSoon() {
        isDiscovering = false
        _ = nextStep()
        _ = answer(.setFilter)
        XCTAssertNil(answer(.start, .bluez("InProgress")))
        XCTAssertNil(nextStep())
        XCTAssertEqual(wait, 0.25)

        pass(0.25)

        XCTAssertEqual(nextStep(), .stop)
    }

    func testStart_whenTheAdapterShowsItInTime_isOn() {
        for error in [nil, BusError.bluez("InProgress")] {
            setUp()
            isDiscovering = false
            _ = nextStep()
            _ = answer(.setFilter)
            _ = answer(.start, error)
            XCTAssertNil(nextStep())
            pass(0.2)

            isDiscovering = true

            XCTAssertNil(nextStep())
            XCTAssertEqual(wait ?? 0, 119.8, accuracy: 0.001)
        }
    }

    func testUnconfirmed_whenNotWantedAnyMore_stopsImmediately() {
        isDiscovering = false
        turnOn()

        XCTAssertEqual(nextStep(false), .stop)
    }

    func testOn_whenTheAdapterShowsItNoMore_stopsAndStartsAgain() {
        isDiscovering = true
        turnOn()
        XCTAssertNil(nextStep())
        pass(30)

        isDiscovering = false

        XCTAssertEqual(nextStep(), .stop)
        XCTAssertNil(answer(.stop, .failed("No discovery started")))
        XCTAssertEqual(nextStep(), .setFilter)
    }

    func testOn_endedEarlyAgainAndAgain_isStartedMoreAndMoreSlowly() {
        var waits: [Double] = []
        for _ in 0..<7 {
            isDiscovering = true
            turnOn()
            XCTAssertNil(nextStep())
            pass(1)
            isDiscovering = false
            XCTAssertEqual(nextStep(), .stop)
            _ = answer(.stop)
            XCTAssertNil(nextStep())
            waits.append(wait ?? 0)
            pass(wait ?? 0)
        }
        for (wait, step) in zip(waits, [0.25, 0.5, 1, 2, 4, 4, 4]) {
            XCTAssertLessThanOrEqual(wait, step)
            XCTAssertGreaterThanOrEqual(wait, step * 0.74)
        }
    }

    func testStop_whenBlueZIsBusy_isRepeatedWithOneMoreStart() {
        turnOn()
        XCTAssertEqual(nextStep(false), .stop)

        XCTAssertEqual(answer(.stop, .bluez("InProgress")), .start)
        XCTAssertEqual(answer(.start), .stop)
        XCTAssertNil(answer(.stop))
        pass(1)
        XCTAssertEqual(nextStep(), .setFilter)
    }

    func testStop_whenBlueZStaysBusy_isNotRepeatedForever() {
        turnOn()
        _ = nextStep(false)
        _ = answer(.stop, .bluez("InProgress"))

        XCTAssertEqual(answer(.start, .bluez("InProgress")), .stop)
        XCTAssertNil(answer(.stop, .bluez("InProgress")))
        pass(1)
        XCTAssertEqual(nextStep(), .setFilter)
    }

    func testStop_whenItFails_isOffAnyway() {
        turnOn()
        _ = nextStep(false)

        XCTAssertNil(answer(.stop, .failed("No discovery started")))
        pass(1)
        XCTAssertEqual(nextStep(), .setFilter)
    }

    func testAnswers_whichNobodyWaitsFor_changeNothing() {
        for step in [Discovery.Step.setFilter, .start, .stop] { XCTAssertNil(answer(step)) }
        _ = nextStep()
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
