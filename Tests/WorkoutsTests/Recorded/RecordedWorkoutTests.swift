import GatewayCore
import HealthModel
import Workouts
import XCTest

/// The record of a workout, calculated from stored samples.
final class RecordedWorkoutTests: XCTestCase {
    private let source = SourceRevision(name: "workout")
    private let box = Device(name: "box")

    func testPrancercise_hasTwoIntervalsWhoseEnergyAddsUpToTheTotal() throws {
        let activity = try XCTUnwrap(WorkoutActivity(customName: "prancercise"))
        var maker = WorkoutMaker(
            activity, subject: WorkoutSubject(activityKilocaloriesPerHour: 450))
        try maker.start()
        try maker.pause(10)
        try maker.resume(15)
        try maker.stop(25)

        let recorded = try maker.recorded()
        let samples = recorded.energySamples(device: box, source: source)

        XCTAssertEqual(recorded.measures.elapsedSeconds, 25)
        XCTAssertEqual(recorded.measures.activeSeconds, 20)
        XCTAssertEqual(
            samples.map { $0.start..<$0.end }, [SampleMaker.span(0, 10), SampleMaker.span(15, 25)])
        XCTAssertEqual(samples.map(\.quantity.value), [1.25, 1.25])
        XCTAssertEqual(Set(samples.map(\.id)).count, 2)
        for sample in samples {
            XCTAssertEqual(sample.type, .activeEnergyBurned)
            XCTAssertEqual(sample.person, "ada")
            XCTAssertEqual(sample.device, box)
            XCTAssertEqual(
                sample.metadata["PulsegateWorkout"], .string(WorkoutMaker.id.description))
            XCTAssertEqual(sample.metadata["PulsegateMethod"], .string("ratePerHour"))
        }
        let total = try XCTUnwrap(recorded.totals.first)
        XCTAssertEqual(total.type, .activeEnergyBurned)
        XCTAssertEqual(total.sum, try Quantity(2.5, .kilocalorie))
        XCTAssertEqual(total.method, "ratePerHour")
        XCTAssertNoThrow(try maker.session.workout(totals: recorded.totals))
    }

    func testEnergySamples_inTheStore_areAmongTheSamplesAndChangeNothing() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(activityKilocaloriesPerHour: 360))
        try maker.start()
        try maker.stop(100)
        let first = try maker.recorded()
        for sample in first.energySamples(device: box, source: source) { maker.tell(sample) }

        let second = try maker.recorded()

        XCTAssertEqual(second.measures, first.measures)
        XCTAssertEqual(second.samples.map(\.quantity.value), [10])
    }

    func testEnergy_countedByADevice_needsNoSamples() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(activityKilocaloriesPerHour: 360))
        try maker.start()
        try maker.tell(.activeEnergyBurned, 12, 0, 60, from: "watch")
        try maker.stop(60)

        let recorded = try maker.recorded()

        XCTAssertEqual(recorded.energySamples(device: nil, source: nil), [])
        XCTAssertEqual(recorded.totals.first?.sum, try Quantity(12, .kilocalorie))
        XCTAssertNil(recorded.totals.first?.method)
    }

    func testSamples_areThoseThatCount_cutWhereTheyDoNot() throws {
        var maker = WorkoutMaker()
        try maker.rate(100, -1)
        try maker.start()
        for second in 0...30 { try maker.rate(100 + Double(second), Double(second)) }
        try maker.tell(.stepCount, 40, -5, 15)
        try maker.pause(10)
        try maker.resume(20)
        try maker.stop(30)
        try maker.tell(.stepCount, 20, 15, 35)
        try maker.rate(100, 31)

        let samples = try maker.recorded().samples

        XCTAssertEqual(
            samples.filter { $0.type == .heartRate }.map { $0.quantity.value - 100 },
            (0...10).map(Double.init) + (20...30).map(Double.init))
        let steps = samples.filter { $0.type == .stepCount }
        XCTAssertEqual(
            steps.map { $0.start..<$0.end }, [SampleMaker.span(0, 10), SampleMaker.span(20, 30)])
        XCTAssertEqual(steps.map(\.quantity.value), [20, 10])
        XCTAssertEqual(samples.map(\.start), samples.map(\.start).sorted())
    }

    func testTotals_haveEachTypeOnce() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for second in 0...10 {
            try maker.rate(100 + Double(second), Double(second))
            try maker.tell(.runningSpeed, 3, Double(second), from: "pod")
            try maker.tell(.runningPower, 200, Double(second), from: "pod")
            try maker.tell(.stepCount, 3, Double(second), Double(second) + 1, from: "pod")
        }
        try maker.stop(11)

        let totals = try maker.recorded().totals

        XCTAssertEqual(
            totals.map(\.type.name), ["heartRate", "runningPower", "runningSpeed", "stepCount"])
        XCTAssertEqual(totals[0].average, try Quantity(105, .countPerMinute))
        XCTAssertEqual(totals[0].maximum, try Quantity(110, .countPerMinute))
        XCTAssertEqual(totals[3].sum, try Quantity(33, .count))
    }

    func testSamples_inAnyOrder_giveTheSameRecord() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for second in 0...600 {
            try maker.rate(100 + Double(second % 30), Double(second))
            try maker.tell(.stepCount, 3, Double(second), Double(second) + 1)
        }
        try maker.stop(600)
        let recorded = try maker.recorded()

        let shuffled = RecordedWorkout(
            workout: recorded.workout, allSamples: maker.stored.shuffled(),
            subject: WorkoutSubject())

        XCTAssertEqual(shuffled, recorded)
    }

    func testSamples_ofAnotherPerson_areLeftAside() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.stop(10)
        let other = try QuantitySample(
            id: RecordID(high: 1, low: 1), type: .heartRate, start: SampleMaker.at(1),
            end: SampleMaker.at(1), quantity: Quantity(99, .countPerMinute), person: "bob")

        let recorded = RecordedWorkout(
            workout: try maker.session.workout(), allSamples: [other], subject: WorkoutSubject())

        XCTAssertEqual(recorded.samples, [])
        XCTAssertNil(recorded.measures.heartRate)
        XCTAssertEqual(recorded.laps.map(\.span), [SampleMaker.span(0, 10)])
    }

    func testWorkout_ofNoTime_isAccepted() throws {
        var maker = WorkoutMaker()
        try maker.start()
        try maker.lap(0)
        try maker.pause(0)
        try maker.resume(0)
        try maker.stop(0)
        try maker.rate(100, 0)

        let recorded = try maker.recorded()

        XCTAssertEqual(recorded.measures.activeSeconds, 0)
        XCTAssertEqual(recorded.laps.count, 1)
        XCTAssertEqual(maker.live(9).measures.elapsedSeconds, 0)
    }

    // MARK: Recovery

    /// Ten minutes at 160, and after the stop a fall by a half a second to 100.
    private func cooled(until last: Int) throws -> WorkoutMaker {
        var maker = WorkoutMaker(
            subject: WorkoutSubject(roles: ["strap": .primary, "band": .backup]))
        try maker.start()
        for second in 0...600 { try maker.rate(160, Double(second)) }
        try maker.stop(600)
        for second in 601...last {
            try maker.rate(max(100, 160 - Double(second - 600) / 2), Double(second))
            try maker.rate(60, Double(second) + 0.5, from: "band")
        }
        return maker
    }

    func testRecovery_isTheFallInTheMinuteAfterTheStop() throws {
        let maker = try cooled(until: 675)

        let recovery = try maker.recorded().recovery(
            of: maker.stored, subject: maker.builder.subject)

        XCTAssertEqual(recovery.quantity.value, 30, accuracy: 1e-9)
        XCTAssertEqual(
            recovery.metadata["HKMetadataKeyHeartRateRecoveryActivityType"], .number(37))
        XCTAssertEqual(
            recovery.metadata["HKMetadataKeyHeartRateRecoveryActivityDuration"],
            .quantity(try Quantity(600, .second)))
    }

    func testRecovery_whenTheReadingsEndTooSoon_isNotReported() throws {
        let maker = try cooled(until: 655)

        XCTAssertThrowsError(
            try maker.recorded().recovery(of: maker.stored, subject: maker.builder.subject)
        ) { XCTAssertEqual($0 as? HeartRateRecoveryError, .tooShort) }
    }

    func testRecovery_whenTheWorkoutEndedInAPause_isNotReported() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for second in 0...700 { try maker.rate(160 - Double(second) / 10, Double(second)) }
        try maker.pause(600)
        try maker.stop(610)

        XCTAssertThrowsError(
            try maker.recorded().recovery(of: maker.stored, subject: WorkoutSubject())
        ) { XCTAssertEqual($0 as? HeartRateRecoveryError, .noEffortEnd) }
    }
}
