import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// FIT files as other devices write them.
final class FITImportTests: XCTestCase {
    /// 2026-09-21, in FIT's seconds.
    private static let start: UInt32 = 1_158_934_400

    private func instant(_ second: UInt32) -> Instant {
        Instant(nanosecondsSince1970: (Int64(second) + 631_065_600) * 1_000_000_000)
    }

    private func begin(_ type: UInt8 = 4) -> FITBytes {
        var fit = FITBytes()
        fit.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (3, 4, 0x8C), (8, 6, 0x07)])
        fit.add(0, [type, 1, 0] + FITBytes.little(99) + Array("Edge\0\0".utf8))
        return fit
    }

    func testControlCharacters_ofAName_areRemovedAndCounted() throws {
        var fit = FITBytes()
        fit.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (3, 4, 0x8C), (8, 8, 0x07)])
        fit.add(0, [4, 1, 0] + FITBytes.little(99) + Array("Ed\u{1B}[2J\0\0".utf8))
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        fit.add(1, FITBytes.little(Self.start) + [120])

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.workout.device?.name, "Ed[2J")
        XCTAssertEqual(imported.workout.device?.serial, "99")
        XCTAssertEqual(imported.skipped.values, 1)
    }

    func testChecksum_ofTheStandardText_isTheStandardOne() {
        XCTAssertEqual(FITBytes.checksum(Array("123456789".utf8)), 0xBB3D)
    }

    func testFile_ofTheOtherByteOrder_isRead() throws {
        var fit = begin()
        fit.define(
            1, 20, bigEndian: true, [(253, 4, 0x86), (3, 1, 0x02), (5, 4, 0x86), (6, 2, 0x84)])
        for step in UInt32(0)..<3 {
            fit.add(
                1,
                FITBytes.big(Self.start + step) + [UInt8(100 + step)] + FITBytes.big(step * 300)
                    + [0x0B, 0xB8])
        }

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.workout.start, instant(Self.start))
        XCTAssertEqual(imported.workout.end, instant(Self.start + 2))
        XCTAssertEqual(imported.samples.of(.heartRate).map(\.quantity.value), [100, 101, 102])
        XCTAssertEqual(
            imported.samples.of(.distanceWalkingRunning).map(\.quantity.value), [3, 3])
        XCTAssertEqual(imported.workout.device?.name, "Edge")
        XCTAssertEqual(imported.workout.device?.manufacturer, "Garmin")
        XCTAssertEqual(imported.workout.device?.serial, "99")
    }

    func testFields_withoutBytes_areNone() throws {
        var fit = begin()
        let empty = (0..<200).map { (number: UInt8($0 + 40), size: UInt8(0), type: UInt8(0x02)) }
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)] + empty)
        fit.add(1, FITBytes.little(Self.start) + [100])
        fit.add(1, FITBytes.little(Self.start + 1) + [101])

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.of(.heartRate).map(\.quantity.value), [100, 101])
        XCTAssertEqual(imported.skipped.unknown, 0)
    }

    func testTimes_inTheHeader_continueFromTheLastOne() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        fit.define(2, 20, [(3, 1, 0x02)])
        fit.add(1, FITBytes.little(Self.start) + [100])
        let bits = Self.start & 0x1F
        for step in [UInt32(5), 20, 31, 40] {
            fit.add(0x80 | 2 << 5 | UInt8((bits + step) & 0x1F), [UInt8(100 + step)])
        }

        let rates = try WorkoutFile.read(fit.file()).samples.of(.heartRate)

        XCTAssertEqual(rates.map(\.quantity.value), [100, 105, 120, 131, 140])
        XCTAssertEqual(rates.map(\.end), [0, 5, 20, 31, 40].map { instant(Self.start + $0) })
    }

    /// A timer that stops and starts in second 10, and stops at the end twice, as some devices do.
    private func withTimer(elapsed: UInt32, active: UInt32) -> [UInt8] {
        var fit = begin()
        fit.define(1, 21, [(253, 4, 0x86), (0, 1, 0x00), (1, 1, 0x00)])
        for (second, type) in [(0, 0), (10, 4), (10, 0), (60, 4), (60, 9)] as [(UInt32, UInt8)] {
            fit.add(1, FITBytes.little(Self.start + second) + [0, type])
        }
        fit.define(2, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (8, 4, 0x86)])
        fit.add(
            2,
            [Self.start + 60, Self.start, elapsed, active].flatMap { FITBytes.little($0) })
        return fit.file()
    }

    func testPauses_haveTheLengthThatTheSessionLeaves() throws {
        let workout = try WorkoutFile.read(withTimer(elapsed: 60_000, active: 59_600)).workout

        XCTAssertEqual(workout.seconds, 59.6)
        XCTAssertEqual(workout.pauses.first?.lowerBound, instant(Self.start + 10))
    }

    func testPauses_thatTheSessionContradicts_areThoseOfTheEvents() throws {
        for active in [UInt32(0), 50_000, 60_000, 70_000, .max] {
            let workout = try WorkoutFile.read(withTimer(elapsed: 60_000, active: active)).workout

            XCTAssertEqual(workout.pauses, [], "\(active)")
        }
    }

    func testWhatIsNotKnown_isSkippedAndCounted() throws {
        var fit = begin()
        fit.define(3, 999, [(1, 3, 0x0D)])
        fit.add(3, [1, 2, 3])
        // Positions, an altitude, an unknown type, an odd size, and developer fields.
        fit.define(
            1, 20,
            [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (2, 2, 0x84), (3, 1, 0x02), (9, 3, 0x77)],
            developer: [2, 5])
        let noPosition: [UInt8] = [0xFF, 0xFF, 0xFF, 0x7F]
        let position = FITBytes.little(500_000_000) + FITBytes.little(100_000_000)
        fit.add(
            1,
            FITBytes.little(Self.start) + position + [1, 2, 120, 1, 2, 3]
                + [UInt8](repeating: 9, count: 7))
        fit.add(
            1,
            FITBytes.little(Self.start + 1) + noPosition + noPosition + [0xFF, 0xFF, 0, 1, 2, 3]
                + [UInt8](repeating: 9, count: 7))

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.map(\.quantity.value), [120])
        XCTAssertEqual(imported.skipped.positions, 1)
        XCTAssertEqual(imported.skipped.values, 1, "a heart rate of 0 is none")
        XCTAssertEqual(imported.skipped.unknown, 1 + 2 * 2)
    }

    func testSession_ofTwoSports_isSeveralSportsInOne() throws {
        var fit = begin()
        fit.define(1, 18, [(253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (5, 1, 0x00)])
        fit.add(
            1,
            FITBytes.little(Self.start + 60) + FITBytes.little(Self.start)
                + FITBytes.little(60_000) + [5])
        fit.add(
            1,
            FITBytes.little(Self.start + 200) + FITBytes.little(Self.start + 70)
                + FITBytes.little(130_000) + [2])

        let workout = try WorkoutFile.read(fit.file()).workout

        XCTAssertEqual(workout.activity.type, .swimBikeRun)
        XCTAssertEqual(workout.start, instant(Self.start))
        XCTAssertEqual(workout.end, instant(Self.start + 200))
    }

    func testLaps_thatKnowTheEnergy_giveItWhereRecordsDoNot() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        fit.add(1, FITBytes.little(Self.start) + [100])
        fit.add(1, FITBytes.little(Self.start + 100) + [110])
        fit.define(2, 19, [(253, 4, 0x86), (2, 4, 0x86), (11, 2, 0x84)])
        fit.add(2, FITBytes.little(Self.start + 40) + FITBytes.little(Self.start) + [10, 0])
        fit.add(2, FITBytes.little(Self.start + 100) + FITBytes.little(Self.start + 40) + [15, 0])

        let imported = try WorkoutFile.read(fit.file())

        let energy = imported.samples.of(.activeEnergyBurned)
        XCTAssertEqual(energy.map(\.quantity.value), [10, 15])
        XCTAssertEqual(energy.map(\.end), [40, 100].map { instant(Self.start + $0) })
        XCTAssertEqual(imported.workout.events.map(\.kind), [.lap])
    }

    func testFile_thatIsNoActivity_isRefused() throws {
        XCTAssertThrowsError(try WorkoutFile.read(begin(6).file())) {
            XCTAssertEqual($0 as? WorkoutFileError, .noWorkout)
        }
        XCTAssertThrowsError(try WorkoutFile.read(begin().file())) {
            XCTAssertEqual($0 as? WorkoutFileError, .noWorkout)
        }
    }

    func testFile_withMorePointsThanAnyWorkout_isRefused() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86)])
        fit.add(1, FITBytes.little(Self.start))
        // A record of one byte: its time in five bits.
        fit.define(2, 20, [])
        let flood = (0..<450_000).map { 0x80 | 2 << 5 | UInt8($0 & 0x1F) }

        XCTAssertThrowsError(try WorkoutFile.read(FITBytes.file(fit.data + flood))) {
            XCTAssertEqual($0 as? WorkoutFileError, .tooMany("points"))
        }
    }

    func testFile_thatIsDamaged_saysWhat() throws {
        let whole = begin().file()
        XCTAssertThrowsError(try WorkoutFile.read(whole + [0])) {
            XCTAssertTrue("\($0)".contains("extra data after the end; copy or export"), "\($0)")
        }
        XCTAssertThrowsError(try WorkoutFile.read(FITBytes.file([0x01, 1, 2]))) {
            XCTAssertTrue("\($0)".contains("without definition"), "\($0)")
        }
    }
}
