import GatewayCore
import HealthModel
import Platform
import Workouts
import XCTest

/// Which of two straps counts, and that never both do.
final class TwoStrapsTests: XCTestCase {
    private let roles: [String: People.Role] = ["strap": .primary, "band": .backup]

    /// The band says 100 all the time, the strap 150 but in some seconds.
    private func maker(
        silent: ClosedRange<Int>, seconds: Int = 60, roles: [String: People.Role]
    ) throws -> WorkoutMaker {
        var maker = WorkoutMaker(subject: WorkoutSubject(roles: roles))
        try maker.start()
        for second in 0...seconds {
            if !silent.contains(second) { try maker.rate(150, Double(second)) }
            try maker.rate(100, Double(second) + 0.5, from: "band")
        }
        try maker.stop(Double(seconds))
        return maker
    }

    func testPrimary_whileItIsThere_countsAlone() throws {
        let maker = try maker(silent: 100...100, roles: roles)

        let heart = maker.live(60).measures.heartRate

        XCTAssertEqual(heart, .init(average: 150, minimum: 150, maximum: 150))
        XCTAssertEqual(maker.builder.backupSpans(at: SampleMaker.at(60)), [])
    }

    func testSilence_ofLessThanTheLimit_isNoReasonForTheBackup() throws {
        let maker = try maker(silent: 20...23, roles: roles)

        XCTAssertEqual(maker.live(60).measures.heartRate?.minimum, 150)
    }

    func testBackup_countsFromTheLastReadingOfThePrimary_untilThatIsSteadyAgain() throws {
        let maker = try maker(silent: 20...29, roles: roles)

        let recorded = try maker.recorded()

        let backups = recorded.samples.filter { $0.device?.localIdentifier == "band" }
        XCTAssertEqual(backups.first?.start, SampleMaker.at(19.5))
        // The primary speaks again at 30 s, and is steady at 35 s.
        XCTAssertEqual(backups.last?.start, SampleMaker.at(34.5))
        XCTAssertEqual(backups.count, 16)
        let primaries = recorded.samples.filter { $0.device?.localIdentifier == "strap" }
        XCTAssertFalse(
            primaries.contains { SampleMaker.span(19.5, 35).contains($0.start) })
        XCTAssertEqual(
            recorded.backups.map(\.span), [SampleMaker.span(19.5, 34.5)])
        XCTAssertEqual(recorded.backups.map(\.device), ["band"])
        XCTAssertEqual(maker.builder.backupSpans(at: SampleMaker.at(60)), recorded.backups)
        XCTAssertEqual(maker.live(60).measures, recorded.measures)
        // 15 s of the band, 44 s of the strap, and a way down and up of half a second each.
        let area: Double = 100.0 * 15 + 150.0 * 44 + 125.0
        XCTAssertEqual(
            recorded.measures.heartRate?.average ?? 0, area / 60, accuracy: 1e-9)
    }

    func testPrimary_thatComesBackWhileTheBackupIsSilent_countsImmediately() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(roles: roles))
        try maker.start()
        for second in 0...40 where !(10..<20).contains(second) {
            try maker.rate(150, Double(second))
        }
        for second in 0...12 { try maker.rate(100, Double(second), from: "band") }
        try maker.stop(40)

        let strap = try maker.recorded().samples.filter { $0.device?.localIdentifier == "strap" }

        XCTAssertTrue(strap.contains { $0.start == SampleMaker.at(20) })
    }

    func testRoles_whenThereAreNone_areByWhoWasSeenFirst() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for second in 0...30 {
            try maker.rate(100, Double(second), from: "band")
            try maker.rate(150, Double(second) + 0.5)
        }

        XCTAssertEqual(maker.live(30.5).measures.heartRate?.maximum, 100)
        XCTAssertEqual(
            maker.live(30.5).heart, .rate(100, zone: nil, device: "band", isBackup: false))
    }

    func testPrimary_thatIsSeenLate_takesOver() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(roles: ["strap": .primary]))
        try maker.start()
        for second in 0...30 {
            try maker.rate(100, Double(second), from: "band")
            if second >= 10 { try maker.rate(150, Double(second) + 0.5) }
        }
        try maker.stop(31)

        let last = try maker.recorded().samples.last { $0.device?.localIdentifier == "band" }

        XCTAssertEqual(last?.start, SampleMaker.at(10))
    }

    func testBeats_ofTwoStraps_areNotMixed() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(roles: roles))
        try maker.start()
        for beat in 0..<200 {
            let start = Double(beat) * 0.6
            let isSilent = (80..<100).contains(beat)
            if !isSilent { try maker.tell(.rrInterval, 600, start, start + 0.6) }
            try maker.tell(.rrInterval, 650, start + 0.2, start + 0.85, from: "band")
        }
        try maker.stop(120)

        XCTAssertEqual(maker.live(120).rmssdMilliseconds, 0)
        XCTAssertEqual(try maker.recorded().measures.rmssdMilliseconds, 0)
    }

    func testOrder_inWhichTheStrapsReport_doesNotMatter() throws {
        let maker = try maker(silent: 20...29, roles: roles)
        var generator = SeededGenerator(seed: 1)
        var late = LiveWorkoutBuilder(session: maker.session, subject: maker.builder.subject)
        var told: [(at: Double, sample: QuantitySample)] = []
        for sample in maker.stored {
            let delay = Double.random(in: 0...3, using: &generator)
            told.append((SampleMaker.seconds(sample.end) + delay, sample))
        }
        for (_, sample) in told.sorted(by: { $0.at < $1.at }) { late.add(.sample(sample)) }

        XCTAssertEqual(late.snapshot(at: SampleMaker.at(70)).measures, maker.live(70).measures)
    }

    func testStraps_withoutEnd_areBounded() throws {
        var maker = WorkoutMaker()
        try maker.start()
        for number in 0..<100 {
            try maker.rate(100 + Double(number), Double(number) / 10, from: "strap \(number)")
        }

        // Each falls silent at once, so that the next one counts; the 17th is not listened to.
        XCTAssertEqual(maker.live(10).measures.heartRate?.maximum, 115)
    }

    func testPrimary_isSeen_howeverManyOthersThereAre() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(roles: ["strap": .primary]))
        try maker.start()
        for second in 1...30 {
            for other in 0..<100 {
                try maker.rate(90, Double(second) + Double(other) / 1_000, from: "other \(other)")
            }
            try maker.rate(150, Double(second) + 0.5)
        }
        try maker.stop(31)

        XCTAssertEqual(
            maker.live(30.6).heart, .rate(150, zone: nil, device: "strap", isBackup: false))
        XCTAssertEqual(try maker.recorded().measures.heartRate?.maximum, 150)
        XCTAssertEqual(maker.live(31).measures, try maker.recorded().measures)
    }
}
