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

    /// Receives data; returns whether it is a new measurement.
    private func receive(
        _ value: [UInt8], _ packet: AdvertisementPacket? = nil, at seconds: Double,
        in filter: inout RepetitionFilter
    ) -> Bool {
        guard !filter.isRepetition(value, at: time(seconds)) else { return false }
        return filter.admits(value, packet, at: time(seconds))
    }

    func testEqualData_repeatsTheMeasurement_forAMinute() {
        var filter = RepetitionFilter()
        XCTAssertTrue(receive([1], at: 0, in: &filter))
        XCTAssertFalse(receive([1], at: 30, in: &filter))
        XCTAssertFalse(receive([1], at: 59, in: &filter), "the first one counts")
        XCTAssertTrue(receive([1], at: 60, in: &filter))
        XCTAssertTrue(receive([2], at: 60, in: &filter))
    }

    func testEqualPacket_isTheSame_whileItIsReceived() {
        var filter = RepetitionFilter()
        XCTAssertTrue(receive([1], packet(7), at: 0, in: &filter))
        XCTAssertFalse(receive([1], packet(7), at: 3_599, in: &filter))
        XCTAssertFalse(receive([1], packet(7), at: 7_000, in: &filter), "it never stopped")
        XCTAssertTrue(receive([1], packet(7), at: 10_600, in: &filter))
    }

    func testRepetition_isRecognized_whateverStandsBetween() {
        for number in [packet(7), nil] {
            var filter = RepetitionFilter()
            XCTAssertTrue(receive([1], number, at: 0, in: &filter))
            for round in 1...20 {
                filter.ignore([255, UInt8(round)], at: time(Double(round)))
                XCTAssertFalse(receive([1], number, at: Double(round) + 0.5, in: &filter))
            }
        }
    }

    func testEarlierPacket_staysOne_whileTheLastOneIsReceived() {
        var filter = RepetitionFilter()
        XCTAssertTrue(receive([7], packet(7), at: 0, in: &filter))
        for round in 1...20 {
            let seconds = Double(round)
            XCTAssertFalse(receive([6], packet(6), at: seconds, in: &filter), "\(round)")
            XCTAssertFalse(receive([7], packet(7), at: seconds + 0.5, in: &filter), "\(round)")
        }
        XCTAssertTrue(receive([8], packet(8), at: 30, in: &filter))
        XCTAssertFalse(receive([7], packet(7), at: 40, in: &filter), "it was a measurement")
    }

    func testEqualNumber_withOtherData_isARepetition_whileItIsReceived() {
        var filter = RepetitionFilter()
        XCTAssertTrue(receive([1], packet(7), at: 0, in: &filter))
        XCTAssertFalse(receive([2], packet(7), at: 3.9, in: &filter))
        XCTAssertFalse(receive([3], packet(7), at: 7, in: &filter))
        XCTAssertTrue(receive([4], packet(7), at: 11, in: &filter), "a scale that starts each time")
    }

    func testUnnumberedValues_thatGoToAndFro_areRepetitions_untilTheyStop() {
        var filter = RepetitionFilter()
        XCTAssertTrue(receive([1], at: 0, in: &filter))
        XCTAssertTrue(receive([2], at: 1, in: &filter))
        XCTAssertFalse(receive([1], at: 2, in: &filter))
        XCTAssertFalse(receive([2], at: 3, in: &filter))
        XCTAssertFalse(receive([1], at: 6, in: &filter))
        XCTAssertTrue(receive([1], at: 7, in: &filter), "it has gone back")
    }

    func testLowerNumber_isLate_orThatOfADeviceThatHasStartedAgain() {
        for (number, seconds, isAdmitted) in [
            (UInt32(8), 1.0, true), (6, 1, false), (255, 1, false), (100, 1, true), (6, 5, true),
        ] {
            var filter = RepetitionFilter()
            XCTAssertTrue(receive([1], packet(7), at: 0, in: &filter))
            XCTAssertEqual(
                receive([2], packet(number), at: seconds, in: &filter), isAdmitted, "\(number)")
        }
    }

    func testMemory_isBounded() {
        var filter = RepetitionFilter()
        for number in 0...RepetitionFilter.memory {
            XCTAssertTrue(receive([UInt8(number)], at: 0, in: &filter))
        }
        XCTAssertTrue(receive([0], at: 1, in: &filter), "it was pushed out")
        XCTAssertFalse(receive([2], at: 1, in: &filter))
    }
}
