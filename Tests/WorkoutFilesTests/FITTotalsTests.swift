import HealthModel
import WorkoutFiles
import Workouts
import XCTest

/// Amounts that only the laps or the session of a FIT file have.
final class FITTotalsTests: XCTestCase {
    /// 2026-09-21, in FIT's seconds.
    private static let start: UInt32 = 1_158_934_400
    private static let swimming: UInt8 = 5
    private static let cycling: UInt8 = 2

    private func instant(_ seconds: Double) -> Instant {
        let start = Int64(Self.start) + 631_065_600
        return Instant(nanosecondsSince1970: start * 1_000_000_000)
            .adding(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    private func begin() -> FITBytes {
        var fit = FITBytes()
        fit.define(0, 0, [(0, 1, 0x00), (1, 2, 0x84)])
        fit.add(0, [4, 1, 0])
        return fit
    }

    /// A session from the start, with its elapsed time, sport, distance and energy.
    private func add(
        session seconds: Double, _ sport: UInt8, meters: Double? = nil, kilocalories: UInt8? = nil,
        to fit: inout FITBytes
    ) {
        fit.define(
            2, 18,
            [
                (253, 4, 0x86), (2, 4, 0x86), (7, 4, 0x86), (5, 1, 0x00), (9, 4, 0x86),
                (11, 2, 0x84),
            ])
        let times = [
            Self.start + UInt32(seconds.rounded(.up)), Self.start, UInt32(seconds * 1_000),
        ]
        fit.add(
            2,
            times.flatMap(FITBytes.little) + [sport]
                + FITBytes.little(meters.map { UInt32($0 * 100) } ?? .max)
                + (kilocalories.map { [$0, 0] } ?? [0xFF, 0xFF]))
    }

    /// A lap as devices write it: its start, and the second after its end.
    private func add(
        lap span: ClosedRange<UInt32>, meters: Double? = nil, kilocalories: UInt8? = nil,
        to fit: inout FITBytes
    ) {
        fit.define(3, 19, [(253, 4, 0x86), (2, 4, 0x86), (9, 4, 0x86), (11, 2, 0x84)])
        fit.add(
            3,
            FITBytes.little(Self.start + span.upperBound)
                + FITBytes.little(Self.start + span.lowerBound)
                + FITBytes.little(meters.map { UInt32($0 * 100) } ?? .max)
                + (kilocalories.map { [$0, 0] } ?? [0xFF, 0xFF]))
    }

    func testLap_thatEndsAfterTheWorkout_keepsItsEnergy() throws {
        var fit = begin()
        add(lap: 0...40, kilocalories: 10, to: &fit)
        add(lap: 40...61, kilocalories: 7, to: &fit)
        add(session: 60.25, Self.cycling, kilocalories: 17, to: &fit)

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.map(\.quantity.value), [10, 7])
        XCTAssertEqual(imported.samples.map(\.end), [instant(40), instant(60.25)])
        XCTAssertEqual(imported.workout.end, instant(60.25))
        XCTAssertEqual(imported.skipped.values, 0)
    }

    func testLap_thatEndsAfterTheNextHasBegun_endsThere() throws {
        var fit = begin()
        add(lap: 0...50, kilocalories: 10, to: &fit)
        add(lap: 40...60, kilocalories: 7, to: &fit)
        add(session: 60, Self.cycling, kilocalories: 17, to: &fit)

        let samples = try WorkoutFile.read(fit.file()).samples

        XCTAssertEqual(samples.map(\.quantity.value), [10, 7])
        XCTAssertEqual(samples.map(\.start), [instant(0), instant(40)])
        XCTAssertEqual(samples.map(\.end), [instant(40), instant(60)])
    }

    func testPoolSwim_whoseRecordsHaveNoDistance_hasThatOfTheLaps() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02)])
        for second in UInt32(0)...100 { fit.add(1, FITBytes.little(Self.start + second) + [120]) }
        add(lap: 0...40, meters: 50, to: &fit)
        add(lap: 40...60, meters: 0, to: &fit)
        add(lap: 60...101, meters: 50, to: &fit)
        add(session: 100.5, Self.swimming, meters: 100, to: &fit)

        let samples = try WorkoutFile.read(fit.file()).samples.of(.distanceSwimming)

        XCTAssertEqual(samples.map(\.quantity.value), [50, 50])
        XCTAssertEqual(samples.map(\.start), [instant(0), instant(60)])
        XCTAssertEqual(samples.map(\.end), [instant(40), instant(100.5)])
    }

    func testSwim_whoseRecordsHaveNoTime_hasThatOfTheLaps() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86), (5, 4, 0x86)])
        fit.add(1, FITBytes.little(.max) + FITBytes.little(2_500))
        fit.add(1, FITBytes.little(.max) + FITBytes.little(5_000))
        add(lap: 0...70, meters: 50, to: &fit)
        add(session: 70, Self.swimming, meters: 50, to: &fit)

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.map(\.quantity.value), [50])
        XCTAssertEqual(imported.skipped.values, 2)
    }

    func testSession_thatAloneHasDistanceAndEnergy_givesThemOverItsTime() throws {
        var fit = begin()
        add(session: 3_600, Self.cycling, meters: 30_000, kilocalories: 250, to: &fit)

        let imported = try WorkoutFile.read(fit.file())

        XCTAssertEqual(imported.samples.of(.distanceCycling).map(\.quantity.value), [30_000])
        XCTAssertEqual(imported.samples.of(.activeEnergyBurned).map(\.quantity.value), [250])
        for sample in imported.samples {
            XCTAssertEqual(sample.start, instant(0))
            XCTAssertEqual(sample.end, instant(3_600))
        }
    }

    func testRecords_thatEndBeforeTheSession_areCompleted() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86), (5, 4, 0x86)])
        for second in UInt32(0)...10 {
            fit.add(1, FITBytes.little(Self.start + second) + FITBytes.little(second * 500))
        }
        add(session: 20, Self.cycling, meters: 120, to: &fit)

        let samples = try WorkoutFile.read(fit.file()).samples

        XCTAssertEqual(samples.sum(.distanceCycling), 120, accuracy: 1e-9)
        XCTAssertEqual(samples.last?.quantity.value ?? 0, 70, accuracy: 1e-9)
        XCTAssertEqual(samples.last?.start, instant(10))
        XCTAssertEqual(samples.last?.end, instant(20))
    }

    func testRecords_ofOneSecond_areOnePoint() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86), (3, 1, 0x02), (7, 2, 0x84)])
        for (rate, power) in [(0xFF, 150), (120, 0xFFFF), (121, 0xFFFF), (0xFF, 160)] {
            fit.add(
                1,
                FITBytes.little(Self.start) + [UInt8(rate)]
                    + FITBytes.little(UInt32(power)).prefix(2))
        }
        add(session: 20, Self.cycling, to: &fit)

        let samples = try WorkoutFile.read(fit.file()).samples

        XCTAssertEqual(samples.of(.heartRate).map(\.quantity.value), [121])
        XCTAssertEqual(samples.of(.cyclingPower).map(\.quantity.value), [160])
    }

    func testDistance_inTwelveBits_continuesAfterThem() throws {
        var fit = begin()
        fit.define(1, 20, [(253, 4, 0x86), (8, 3, 0x0D)])
        // 3.54 m/s and sixteenths of a metre.
        for (second, sixteenths) in [
            (0, 0), (5, 228), (10, 4_095), (15, 4_100), (20, 4_096 + 4_095),
        ] {
            let bits = UInt32(354 | (sixteenths & 0xFFF) << 12)
            fit.add(
                1, FITBytes.little(Self.start + UInt32(second)) + FITBytes.little(bits).prefix(3))
        }
        fit.add(1, FITBytes.little(Self.start + 25) + [0xFF, 0xFF, 0xFF])
        add(session: 25, 1, to: &fit)

        let samples = try WorkoutFile.read(fit.file()).samples

        XCTAssertEqual(samples.sum(.distanceWalkingRunning), 8_191 / 16.0, accuracy: 1e-5)
        XCTAssertEqual(
            samples.of(.runningSpeed).map(\.quantity.value), [Double](repeating: 3.54, count: 5))
    }
}
