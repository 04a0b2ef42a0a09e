import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// Times of devices whose clock was not set, and times in five bits.
final class FITClockTests: XCTestCase {
    /// 2026-09-21, in FIT's seconds.
    private static let start: UInt32 = 1_158_934_400

    private func instant(_ seconds: Int64) -> Instant {
        let second = Int64(Self.start) + 631_065_600 + seconds
        return Instant(nanosecondsSince1970: second * 1_000_000_000)
    }

    private func begin() -> FITBytes {
        var fit = FITBytes()
        fit.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84)])
        fit.add(0, [4, 1, 0])
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        return fit
    }

    /// A camera of Garmin counts from its start, and learns the date from the satellites.
    func testTimes_thatCountFromTheStart_areDatesByTheCorrelation() throws {
        var fit = begin()
        fit.add(1, FITBytes.little(2) + [100])
        fit.add(1, FITBytes.little(30) + [101])
        fit.define(3, 162, [(253, 4, 0x86), (1, 4, 0x86)])
        fit.add(3, FITBytes.little(Self.start + 69) + FITBytes.little(69))
        fit.define(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (5, 1, 0x00)])
        fit.add(
            2, FITBytes.little(100) + FITBytes.little(2) + FITBytes.little(60_000) + [2])

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.workout.start, instant(2))
        XCTAssertEqual(imported.workout.end, instant(62))
        XCTAssertEqual(imported.samples.map(\.end), [instant(2), instant(30)])
        XCTAssertEqual(imported.skipped.values, 0)
    }

    func testTimes_beforeTheDateIsKnown_areThoseOfTheSameWorkout() throws {
        var fit = begin()
        fit.add(1, FITBytes.little(40) + [100])
        fit.define(3, 162, [(253, 4, 0x86), (1, 4, 0x86)])
        fit.add(3, FITBytes.little(Self.start + 50) + FITBytes.little(50))
        fit.add(1, FITBytes.little(Self.start + 60) + [101])

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.map(\.end), [instant(40), instant(60)])
    }

    func testTimes_withoutADate_areRefusedWithTheReason() throws {
        var fit = begin()
        fit.add(1, FITBytes.little(16_441_242) + [100])
        fit.add(1, FITBytes.little(0x0FFF_FFFF) + [101])

        XCTAssertThrowsError(try WorkoutFile.read(fit.file())) {
            XCTAssertEqual($0 as? WorkoutFileError, .noDate)
            XCTAssertTrue("\($0)".contains("the clock of the device was not set"), "\($0)")
        }
    }

    func testTimes_withoutADateBesideOthers_areSkippedAndCounted() throws {
        var fit = begin()
        fit.add(1, FITBytes.little(40) + [100])
        fit.add(1, FITBytes.little(Self.start) + [101])
        fit.add(1, FITBytes.little(Self.start + 9) + [102])

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.map(\.quantity.value), [101, 102])
        XCTAssertEqual(imported.skipped.values, 1)
    }

    func testCorrelation_thatIsNone_isIgnored() throws {
        for (date, system) in [(UInt32(69), UInt32(69)), (Self.start, Self.start), (.max, 69)] {
            var fit = begin()
            fit.add(1, FITBytes.little(40) + [100])
            fit.define(3, 162, [(253, 4, 0x86), (1, 4, 0x86)])
            fit.add(3, FITBytes.little(date) + FITBytes.little(system))

            XCTAssertThrowsError(try WorkoutFile.read(fit.file())) {
                XCTAssertEqual($0 as? WorkoutFileError, .noDate)
            }
        }
    }

    /// Every step of the five bits from every place in them, over their end.
    func testTimes_inFiveBits_areTheNextOnesWithThem() throws {
        for place in UInt32(0)..<32 {
            for step in UInt32(0)..<32 {
                var fit = begin()
                fit.define(2, 20, [(3, 1, 0x02)])
                let first = Self.start + place
                fit.add(1, FITBytes.little(first) + [100])
                let seconds = [first + step, first + step + 31, first + step + 31 + 1]
                for second in seconds {
                    fit.add(0x80 | 2 << 5 | UInt8(second & 0x1F), [101])
                }

                let times = try WorkoutFile.read(fit.file()).samples.map(\.end)

                let all = Set([first] + seconds).sorted()
                XCTAssertEqual(
                    times, all.map { instant(Int64($0 - Self.start)) }, "\(place) \(step)")
            }
        }
    }

    /// Watches of 2011 have five bits and count from their start.
    func testTimes_inFiveBits_countFromTheStartToo() throws {
        var fit = begin()
        fit.define(2, 20, [(3, 1, 0x02)])
        fit.add(1, FITBytes.little(28) + [100])
        fit.add(0x80 | 2 << 5 | 1, [101])
        fit.define(3, 162, [(253, 4, 0x86), (1, 4, 0x86)])
        fit.add(3, FITBytes.little(Self.start) + FITBytes.little(0))

        let times = try WorkoutFile.read(fit.file()).samples.map(\.end)

        XCTAssertEqual(times, [instant(28), instant(33)])
    }

    func testTime_inFiveBitsWithoutAnyBefore_isSkipped() throws {
        var fit = begin()
        fit.define(2, 20, [(3, 1, 0x02)])
        fit.add(0x80 | 2 << 5 | 1, [99])
        fit.add(1, FITBytes.little(Self.start) + [100])
        fit.add(1, FITBytes.little(Self.start + 1) + [101])

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.map(\.quantity.value), [100, 101])
        XCTAssertEqual(imported.skipped.values, 1)
    }
}
