import HealthModel
import XCTest

@testable import GatewayCore
@testable import Platform
@testable import Readings

final class DatingTests: XCTestCase {
    private let earliest = Instant(nanosecondsSince1970: 1_795_000_000_000_000_000)
    private let now = BootInstant(nanoseconds: 5_000_000_000)

    /// The epoch of a wall clock that shows a time in seconds after `earliest` at `now`.
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
        var resolver = TimestampResolver(earliest: earliest)
        XCTAssertEqual(resolver.observe(at: epoch(0, showing: 0), now: now), .nothing)
        XCTAssertEqual(resolver.epoch, epoch(0, showing: 0))
        XCTAssertTrue(resolver.isSet && resolver.isDatedByClock)
        XCTAssertEqual(resolver.observe(at: epoch(0, showing: 0), now: now), .nothing)
        XCTAssertEqual(resolver.observe(at: epoch(1, showing: 60), now: now), .stepped(seconds: 60))
        XCTAssertEqual(resolver.epoch, epoch(1, showing: 60))
    }

    func testLook_atAClockThatIsNotSet_waitsUntilItIs() {
        var resolver = TimestampResolver(earliest: earliest)
        XCTAssertEqual(resolver.observe(at: epoch(0, showing: -1), now: now), .unset)
        XCTAssertEqual(resolver.observe(at: epoch(0, showing: -1), now: now), .nothing)
        XCTAssertEqual(resolver.observe(at: epoch(1, showing: -0.5), now: now), .nothing)
        XCTAssertNil(resolver.epoch)
        XCTAssertFalse(resolver.isSet)
        XCTAssertEqual(resolver.observe(at: epoch(2, showing: 5), now: now), .set)
        XCTAssertEqual(resolver.epoch, epoch(2, showing: 5))
    }

    func testLook_atAClockThatRunsPastTheDay_takesItWithoutAStep() {
        var resolver = TimestampResolver(earliest: earliest)
        let slow = epoch(0, showing: -1)
        XCTAssertEqual(resolver.observe(at: slow, now: now), .unset)
        XCTAssertEqual(
            resolver.observe(at: slow, now: now.adding(nanoseconds: 1_000_000_000)), .set)
        XCTAssertEqual(resolver.epoch, slow)
    }

    func testGiveUpWaiting_datesFromTheEarliestDayOn_untilTheClockIsSet() throws {
        var resolver = TimestampResolver(earliest: earliest)
        _ = resolver.observe(at: epoch(0, showing: -1e9), now: now)
        resolver.stopWaiting()
        let made = try XCTUnwrap(resolver.epoch)
        XCTAssertTrue(made.isUnset)
        XCTAssertFalse(resolver.isDatedByClock)
        XCTAssertEqual(made.instant(at: BootInstant(nanoseconds: 0)), earliest)
        XCTAssertEqual(resolver.observe(at: epoch(0, showing: -1e9), now: now), .nothing)
        XCTAssertEqual(resolver.epoch, made)
        XCTAssertEqual(resolver.observe(at: epoch(1, showing: 5), now: now), .set)
        XCTAssertEqual(resolver.epoch, epoch(1, showing: 5))
    }

    func testLook_aClockThatWasRightIsNotFollowedTo1970() {
        var resolver = TimestampResolver(earliest: earliest)
        let right = epoch(0, showing: 100)
        _ = resolver.observe(at: right, now: now)
        XCTAssertEqual(resolver.observe(at: epoch(1, showing: -1e9), now: now), .rejected)
        XCTAssertEqual(resolver.observe(at: epoch(1, showing: -1e9), now: now), .nothing)
        XCTAssertEqual(resolver.epoch, right)
        XCTAssertFalse(resolver.isSet)
        XCTAssertTrue(resolver.isDatedByClock)
        XCTAssertEqual(resolver.observe(at: epoch(2, showing: 103), now: now), .stepped(seconds: 3))
    }
}
