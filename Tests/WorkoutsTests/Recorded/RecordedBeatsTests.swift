import GatewayCore
import HealthModel
import Workouts
import XCTest

/// The variability of a workout with pauses, a lap and a lost strap, against that of its beats alone.
final class RecordedBeatsTests: XCTestCase {
    /// Beats that follow each other; those at the end of each gap have none before them.
    private func tellBeats(
        _ span: Range<Double>, from device: String, to maker: inout WorkoutMaker
    ) throws {
        var time = span.lowerBound
        var count = 0
        while true {
            // Never 20 % apart, so that none is an artefact.
            let milliseconds = 400 + Double(count * 37 % 60)
            let end = time + milliseconds / 1_000
            guard end < span.upperBound else { return }
            try maker.tell(.rrInterval, milliseconds, time, end, from: device)
            (time, count) = (end, count + 1)
        }
    }

    private func workout() throws -> WorkoutMaker {
        var maker = WorkoutMaker(
            subject: WorkoutSubject(roles: ["strap": .primary, "band": .backup]))
        try maker.start()
        for (from, to) in [(50.05, 70.15), (300.05, 300.25)] {
            try maker.pause(from)
            try maker.resume(to)
        }
        try maker.lap(350.1)
        try tellBeats(0..<200, from: "strap", to: &maker)
        try tellBeats(230..<400, from: "strap", to: &maker)
        try maker.stop(400)
        return maker
    }

    /// The variability of the beats that lie in a span, each interval between pauses for itself.
    private func squares(_ maker: WorkoutMaker, in span: Range<Instant>) throws -> Double {
        var differences: [Double] = []
        for interval in maker.session.intervals(at: SampleMaker.at(400)) {
            let beats = maker.stored.filter {
                $0.start >= interval.lowerBound && $0.end <= interval.upperBound
            }
            for (beat, next) in zip(beats, beats.dropFirst())
            where beat.end == next.start && span.contains(next.end) {
                differences.append(next.quantity.value - beat.quantity.value)
            }
        }
        let sum = differences.reduce(0) { $0 + $1 * $1 }
        return (sum / Double(differences.count)).squareRoot()
    }

    func testRMSSD_takesNoDifferenceAcrossAPauseOrAGap() throws {
        let maker = try workout()
        let recorded = try maker.recorded()

        let whole = try squares(maker, in: SampleMaker.span(0, 400))
        XCTAssertEqual(try XCTUnwrap(recorded.measures.rmssdMilliseconds), whole, accuracy: 1e-9)
        for lap in recorded.laps {
            XCTAssertEqual(
                try XCTUnwrap(lap.measures.rmssdMilliseconds), try squares(maker, in: lap.span),
                accuracy: 1e-9)
        }
        XCTAssertEqual(maker.live(400).measures, recorded.measures)
    }

    func testRMSSD_ofTwoStraps_isThatOfThePrimary() throws {
        let alone = try workout()
        var maker = alone
        // In between, and with other intervals; the primary's gap is theirs.
        try tellBeats(0.11..<400, from: "band", to: &maker)

        let recorded = try maker.recorded()

        XCTAssertNotEqual(recorded.measures, try alone.recorded().measures)
        let early = recorded.samples.filter { $0.end < SampleMaker.at(195) }
        XCTAssertEqual(Set(early.map(\.device?.localIdentifier)), ["strap"])
        let late = recorded.samples.filter {
            $0.end > SampleMaker.at(206) && $0.end < SampleMaker.at(230)
        }
        XCTAssertEqual(Set(late.map(\.device?.localIdentifier)), ["band"])
    }
}
