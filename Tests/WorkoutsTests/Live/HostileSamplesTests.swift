import GatewayCore
import HealthModel
import Platform
import Workouts
import XCTest

/// Hostile samples: nothing traps, and valid samples still count.
final class HostileSamplesTests: XCTestCase {
    private let types: [QuantityType] = [
        .heartRate, .rrInterval, .stepCount, .runningSpeed, .activeEnergyBurned,
        .distanceWalkingRunning, .runningCadence,
    ]

    private func time(_ generator: inout SeededGenerator) -> Instant {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: Instant(nanosecondsSince1970: .min)
        case 1: Instant(nanosecondsSince1970: .max)
        case 2: Instant(nanosecondsSince1970: Int64.random(in: .min ... .max, using: &generator))
        default: SampleMaker.at(Double.random(in: -100...2_000, using: &generator))
        }
    }

    private func sample(
        _ number: UInt64, _ generator: inout SeededGenerator
    ) -> QuantitySample? {
        let (one, other) = (time(&generator), time(&generator))
        let type = types.randomElement(using: &generator) ?? .heartRate
        let isInstant = !type.isCumulative && Bool.random(using: &generator)
        let value = Double.random(in: -10...400, using: &generator)
        guard let quantity = try? Quantity(value, type.canonicalUnit) else { return nil }
        return try? QuantitySample(
            id: RecordID(high: number, low: 1), type: type, start: min(one, other),
            end: isInstant ? min(one, other) : max(one, other), quantity: quantity,
            device: Device(localIdentifier: "\(Int.random(in: 0..<40, using: &generator))"))
    }

    func testRecordsAndCalls_ofAnyTime_trapNowhere() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var maker = WorkoutMaker(subject: try WorkoutMaker.ada(rate: 400))
            let start = time(&generator)
            try maker.call { try $0.start(at: start) }
            for number in 0..<300 as Range<UInt64> {
                if let sample = sample(number, &generator) { maker.tell(sample) }
                let moment = time(&generator)
                switch Int.random(in: 0..<60, using: &generator) {
                case 0: try? maker.call { try $0.lap(at: moment) }
                case 1: try? maker.call { try $0.pause(at: moment) }
                case 2: try? maker.call { try $0.resume(at: moment) }
                case 3: maker.call { $0.recover(lastSeen: moment, at: moment) }
                case 4:
                    let live = maker.builder.snapshot(at: moment)
                    XCTAssertGreaterThanOrEqual(live.measures.elapsedSeconds, 0)
                    XCTAssertGreaterThanOrEqual(live.measures.activeSeconds, 0)
                default: break
                }
            }
            let end = time(&generator)
            try? maker.call { try $0.stop(at: end) }
            let recorded = try maker.recorded()
            XCTAssertGreaterThanOrEqual(recorded.measures.activeSeconds, 0)
            XCTAssertEqual(try WorkoutSession(json: maker.session.json), maker.session)
        }
    }

    func testAFlood_ofOneDevice_leavesTheOthersRight() throws {
        var maker = WorkoutMaker(subject: WorkoutSubject(roles: ["strap": .primary]))
        try maker.start()
        for second in 0...100 {
            try maker.rate(120, Double(second))
            for part in 1...200 {
                try maker.rate(99, Double(second) + Double(part) / 201, from: "x")
            }
        }

        XCTAssertEqual(
            maker.live(100).measures.heartRate, .init(average: 120, minimum: 120, maximum: 120))
    }
}
