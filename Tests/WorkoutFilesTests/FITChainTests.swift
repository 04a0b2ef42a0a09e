import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// Several FIT files in one, as watches append the data that a strap stored under water.
final class FITChainTests: XCTestCase {
    /// 2026-09-21, in FIT's seconds.
    private static let start: UInt32 = 1_158_934_400

    private func instant(_ seconds: Double) -> Instant {
        let start = Int64(Self.start) + 631_065_600
        return Instant(nanosecondsSince1970: start * 1_000_000_000)
            .adding(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// An activity of a minute with a record every ten seconds.
    private func activity(
        _ type: UInt8 = 4, from start: UInt32 = start, rate: UInt8 = 100
    ) -> FITBytes {
        var fit = FITBytes()
        fit.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84)])
        fit.add(0, [type, 1, 0])
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        for step in UInt32(0)...6 { fit.add(1, FITBytes.little(start + step * 10) + [rate]) }
        fit.define(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (5, 1, 0x00)])
        fit.add(
            2,
            FITBytes.little(start + 60) + FITBytes.little(start) + FITBytes.little(60_000) + [5])
        return fit
    }

    func testRates_thatAStrapStored_replaceThoseOfTheWatch() throws {
        // The times pass 0xFFF, and their parts have bytes of 0xFF.
        let beats: [(UInt32, UInt8)] = (1...20).map { ($0 * 1_024, UInt8(130 + $0)) }
        let strap = FITBytes.strap(at: Self.start + 20, anchor: 0x0123_4FF0, beats: beats)

        let imported = try WorkoutFile.read(activity().file() + strap.file())

        let rates = imported.samples.of(.heartRate)
        let stored = (21...40).map { Double($0) }
        XCTAssertEqual(rates.map(\.end), ([0, 10, 20] + stored + [50, 60]).map(instant))
        XCTAssertEqual(
            rates.map(\.quantity.value), [100, 100, 100] + stored.map { $0 + 110 } + [100, 100])
        XCTAssertEqual(imported.workout.start, instant(0))
        XCTAssertEqual(imported.workout.end, instant(60))
        XCTAssertEqual(imported.skipped, ImportedWorkout.Skipped())
    }

    func testBeats_thatAStrapStored_areExact() throws {
        let beats: [(UInt32, UInt8)] = [(512, 120), (1_024, 120), (1_537, 120), (2_049, 120)]
        let strap = FITBytes.strap(at: Self.start + 20, anchor: 0xFFFF_FF00, beats: beats)

        let intervals = try WorkoutFile.read(activity().file() + strap.file()).samples
            .of(.rrInterval)

        XCTAssertEqual(
            intervals.map(\.quantity.value), [500, 500, 500.9765625, 500])
        XCTAssertEqual(intervals.first?.start, instant(20))
        XCTAssertEqual(intervals.last?.end, instant(20 + 2_049 / 1_024))
    }

    func testStrap_thatStoredBeforeAndAfter_countsInTheWorkoutOnly() throws {
        let before = FITBytes.strap(
            at: Self.start - 600, anchor: 5, beats: [(1_024, 90), (2_048, 90)])
        let after = FITBytes.strap(
            at: Self.start + 90, anchor: 5, beats: [(1_024, 90), (2_048, 90)])

        let imported = try WorkoutFile.read(activity().file() + before.file() + after.file())

        XCTAssertEqual(imported.samples.map(\.quantity.value), Array(repeating: 100, count: 7))
        XCTAssertEqual(imported.workout.seconds, 60)
        XCTAssertEqual(imported.skipped.values, 6)
    }

    func testSecondActivity_isLeftOutAndCounted() throws {
        let second = activity(from: Self.start + 600, rate: 150)

        let imported = try WorkoutFile.read(activity().file() + second.file())

        XCTAssertEqual(imported.samples.map(\.quantity.value), Array(repeating: 100, count: 7))
        XCTAssertEqual(imported.skipped.activities, 1)
    }

    func testSettings_besideAnActivity_areNoPartOfIt() throws {
        var settings = FITBytes()
        settings.define(0, 0, [(0, 1, 0x00)])
        settings.add(0, [2])
        settings.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        settings.add(1, FITBytes.little(Self.start + 30) + [200])
        for files in [[settings, activity()], [activity(), settings]] {
            let imported = try WorkoutFile.read(files.flatMap { $0.file() })
            XCTAssertEqual(
                imported.samples.map(\.quantity.value), Array(repeating: 100, count: 7))
            XCTAssertEqual(imported.skipped.activities, 0)
        }
        XCTAssertThrowsError(try WorkoutFile.read(settings.file() + settings.file())) {
            XCTAssertEqual($0 as? WorkoutFileError, .noWorkout)
        }
    }

    func testDefinitions_endWithTheirFile() throws {
        let undefined = FITBytes.file([0x01] + FITBytes.little(Self.start) + [120])

        XCTAssertThrowsError(try WorkoutFile.read(activity().file() + undefined)) {
            XCTAssertTrue("\($0)".contains("without definition"), "\($0)")
        }
    }

    func testChain_withADamagedPart_isRefused() throws {
        let first = activity().file()
        let second = FITBytes.strap(at: Self.start, anchor: 9, beats: [(1_024, 90), (2_048, 90)])
            .file()
        for count in 1..<second.count {
            XCTAssertThrowsError(try WorkoutFile.read(first + second.prefix(count)), "\(count)")
        }
        for index in second.indices where index != 1 && index != 2 && index != 3 {
            var damaged = second
            damaged[index] ^= 0x10
            XCTAssertThrowsError(try WorkoutFile.read(first + damaged), "\(index)")
        }
    }

    func testBeats_withoutAnAnchor_areSkipped() throws {
        var lost = FITBytes()
        lost.define(1, 132, [(6, 2, 0x02), (10, 3, 0x0D)])
        lost.add(1, [90, 90, 1, 2, 3])

        let imported = try WorkoutFile.read(activity().file() + lost.file())

        XCTAssertEqual(imported.samples.count, 7)
        XCTAssertEqual(imported.skipped.values, 2)
    }
}
