import Platform
import XCTest

@testable import Advertisements

final class RepetitionFilterTests: XCTestCase {
    private func time(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: 1_000_000_000).adding(seconds: seconds)
    }

    private func packet(_ number: UInt32) -> AdvertisementPacket {
        AdvertisementPacket(number, modulus: 256, repetitionSeconds: 3_600)
    }

    func testEqualData_repeatsTheMeasurement_forAMinute() {
        var filter = RepetitionFilter()
        XCTAssertFalse(filter.isRepetition([1], at: time(0)))
        XCTAssertTrue(filter.admits(nil, at: time(0)))
        XCTAssertTrue(filter.isRepetition([1], at: time(30)))
        XCTAssertTrue(filter.isRepetition([1], at: time(59)), "the first one counts")
        XCTAssertFalse(filter.isRepetition([1], at: time(60)))
        XCTAssertFalse(filter.isRepetition([2], at: time(60)))
    }

    func testEqualPacket_isTheSame_forItsOwnTime() {
        var filter = RepetitionFilter()
        XCTAssertFalse(filter.isRepetition([1], at: time(0)))
        XCTAssertTrue(filter.admits(packet(7), at: time(0)))
        XCTAssertTrue(filter.isRepetition([1], at: time(3_599)))
        XCTAssertFalse(filter.isRepetition([1], at: time(3_600)))
    }

    func testLowerNumber_isLate_orThatOfADeviceThatHasStartedAgain() {
        for (number, seconds, isAdmitted) in [
            (UInt32(8), 1.0, true), (6, 1, false), (255, 1, false), (100, 1, true), (6, 5, true),
        ] {
            var filter = RepetitionFilter()
            _ = filter.isRepetition([1], at: time(0))
            _ = filter.admits(packet(7), at: time(0))
            _ = filter.isRepetition([2], at: time(seconds))
            XCTAssertEqual(
                filter.admits(packet(number), at: time(seconds)), isAdmitted, "\(number)")
        }
    }

    func testLatePacket_doesNotHideTheCurrentOne() {
        var filter = RepetitionFilter()
        _ = filter.isRepetition([7], at: time(0))
        _ = filter.admits(packet(7), at: time(0))
        _ = filter.isRepetition([6], at: time(0.1))
        XCTAssertFalse(filter.admits(packet(6), at: time(0.1)))
        XCTAssertTrue(filter.isRepetition([7], at: time(0.2)))
    }
}
