import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// Start and end of a FIT activity whose session and records differ.
final class FITSpanTests: XCTestCase {
    /// 2026-09-21, in FIT's seconds.
    private static let start: UInt32 = 1_158_934_400

    private func instant(_ seconds: Int64) -> Instant {
        let second = Int64(Self.start) + 631_065_600 + seconds
        return Instant(nanosecondsSince1970: second * 1_000_000_000)
    }

    /// A session of a minute, and records at some seconds with a heart rate of 100 and more.
    private func file(records: [Int64]) -> [UInt8] {
        var fit = FITBytes()
        fit.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84)])
        fit.add(0, [4, 1, 0])
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        for (place, second) in records.enumerated() {
            let time = UInt32(Int64(Self.start) + second)
            fit.add(1, FITBytes.little(time) + [UInt8(100 + place)])
        }
        fit.define(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (5, 1, 0x00)])
        fit.add(
            2,
            FITBytes.little(Self.start) + FITBytes.little(Self.start) + FITBytes.little(60_000)
                + [2])
        return fit.file()
    }

    func testRecords_afterTheElapsedTime_areNotCut() throws {
        let imported = try WorkoutFile.read(file(records: [0, 30, 60, 600, 3_000]))

        XCTAssertEqual(
            imported.samples.map(\.quantity.value), [100, 101, 102, 103, 104])
        XCTAssertEqual(imported.workout.start, instant(0))
        XCTAssertEqual(imported.workout.end, instant(3_000))
        XCTAssertEqual(imported.skipped.values, 0)
    }

    func testRecords_beforeTheSession_areNotCut() throws {
        let imported = try WorkoutFile.read(file(records: [-2_700, -30, 0, 60]))

        XCTAssertEqual(imported.samples.map(\.quantity.value), [100, 101, 102, 103])
        XCTAssertEqual(imported.workout.start, instant(-2_700))
        XCTAssertEqual(imported.workout.end, instant(60))
    }

    func testRecord_ofAClockThatJumped_isSkippedAndCounted() throws {
        for jump in [Int64(68_342_641), 3_700, -4_000, -200_000_000] {
            let imported = try WorkoutFile.read(file(records: [0, 30, jump, 60]))

            XCTAssertEqual(imported.samples.map(\.quantity.value), [100, 101, 103], "\(jump)")
            XCTAssertEqual(imported.workout.start, instant(0), "\(jump)")
            XCTAssertEqual(imported.workout.end, instant(60), "\(jump)")
            XCTAssertEqual(imported.skipped.values, 1, "\(jump)")
        }
    }
}
