import HealthModel
import XCTest

@testable import GatewayCore
@testable import Platform

final class DatingTests: XCTestCase {
    private let earliest = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
    private let now = BootInstant(nanoseconds: 5_000_000_000)

    /// The epoch of a wall clock that shows so many seconds after `earliest` at `now`.
    private func epoch(_ number: Int, showing seconds: Double) -> ClockEpoch {
        ClockEpoch(
            number: number,
            offsetNanoseconds: earliest.nanosecondsSince1970 - now.nanoseconds
                + Int64(seconds * 1e9))
    }

    func testEpoch_aSlowSlewOrNoiseIsNoStep() {
        let first = epoch(0, showing: 0)
        for change: Int64 in [0, 1, -1, 99_999_999, -99_999_999] {
            let next = first.following(offsetNanoseconds: first.offsetNanoseconds + change)
            XCTAssertEqual(next, first)
        }
    }

    func testEpoch_aStepOrManySmallOnes_beginTheNext() {
        let first = epoch(0, showing: 0)
        for change: Int64 in [100_000_000, -100_000_000, 10_800_000_000_000, .max] {
            let offset = first.offsetNanoseconds.addingReportingOverflow(change).partialValue
            XCTAssertEqual(
                first.following(offsetNanoseconds: offset),
                ClockEpoch(number: 1, offsetNanoseconds: offset))
        }
        var epoch = first
        for count: Int64 in 1...10 {
            epoch = epoch.following(
                offsetNanoseconds: first.offsetNanoseconds + count * 20_000_000)
        }
        XCTAssertEqual(epoch.number, 2)
        XCTAssertEqual(epoch.offsetNanoseconds, first.offsetNanoseconds + 200_000_000)
    }

    func testLook_atAClockThatIsRight_datesByIt_andTellsItsSteps() {
        var dating = TimestampResolver(earliest: earliest)
        XCTAssertEqual(dating.look(at: epoch(0, showing: 0), now: now), .nothing)
        XCTAssertEqual(dating.epoch, epoch(0, showing: 0))
        XCTAssertTrue(dating.isSet && dating.isDatedByClock)
        XCTAssertEqual(dating.look(at: epoch(0, showing: 0), now: now), .nothing)
        XCTAssertEqual(dating.look(at: epoch(1, showing: 60), now: now), .stepped(seconds: 60))
        XCTAssertEqual(dating.epoch, epoch(1, showing: 60))
    }

    func testLook_atAClockThatIsNotSet_waitsUntilItIs() {
        var dating = TimestampResolver(earliest: earliest)
        XCTAssertEqual(dating.look(at: epoch(0, showing: -1), now: now), .unset)
        XCTAssertEqual(dating.look(at: epoch(0, showing: -1), now: now), .nothing)
        XCTAssertEqual(dating.look(at: epoch(1, showing: -0.5), now: now), .nothing)
        XCTAssertNil(dating.epoch)
        XCTAssertFalse(dating.isSet)
        XCTAssertEqual(dating.look(at: epoch(2, showing: 5), now: now), .set)
        XCTAssertEqual(dating.epoch, epoch(2, showing: 5))
    }

    func testLook_atAClockThatRunsPastTheDay_takesItWithoutAStep() {
        var dating = TimestampResolver(earliest: earliest)
        let slow = epoch(0, showing: -1)
        XCTAssertEqual(dating.look(at: slow, now: now), .unset)
        XCTAssertEqual(dating.look(at: slow, now: now.adding(nanoseconds: 1_000_000_000)), .set)
        XCTAssertEqual(dating.epoch, slow)
    }

    func testGiveUpWaiting_datesFromTheEarliestDayOn_untilTheClockIsSet() throws {
        var dating = TimestampResolver(earliest: earliest)
        _ = dating.look(at: epoch(0, showing: -1e9), now: now)
        dating.giveUpWaiting()
        let made = try XCTUnwrap(dating.epoch)
        XCTAssertTrue(made.isUnset)
        XCTAssertFalse(dating.isDatedByClock)
        XCTAssertEqual(made.instant(at: BootInstant(nanoseconds: 0)), earliest)
        XCTAssertEqual(dating.look(at: epoch(0, showing: -1e9), now: now), .nothing)
        XCTAssertEqual(dating.epoch, made)
        XCTAssertEqual(dating.look(at: epoch(1, showing: 5), now: now), .set)
        XCTAssertEqual(dating.epoch, epoch(1, showing: 5))
    }

    func testLook_aClockThatWasRightIsNotFollowedTo1970() {
        var dating = TimestampResolver(earliest: earliest)
        let right = epoch(0, showing: 100)
        _ = dating.look(at: right, now: now)
        XCTAssertEqual(dating.look(at: epoch(1, showing: -1e9), now: now), .refused)
        XCTAssertEqual(dating.look(at: epoch(1, showing: -1e9), now: now), .nothing)
        XCTAssertEqual(dating.epoch, right)
        XCTAssertFalse(dating.isSet)
        XCTAssertTrue(dating.isDatedByClock)
        XCTAssertEqual(dating.look(at: epoch(2, showing: 103), now: now), .stepped(seconds: 3))
    }
}
