import Simulation
import XCTest

final class HeartRateCurveTests: XCTestCase {
    private let points = [
        HeartRateCurve.Point(atSeconds: 10, rate: 60), .init(atSeconds: 20, rate: 100),
        .init(atSeconds: 40, rate: 80),
    ]

    func testRate_isInterpolatedAndHeld() throws {
        let curve = try XCTUnwrap(HeartRateCurve(points))
        let expected = [0: 60.0, 10: 60, 15: 80, 20: 100, 30: 90, 40: 80, 41: 80, 1e9: 80]
        for (seconds, rate) in expected {
            XCTAssertEqual(curve.rate(at: seconds), rate, "at \(seconds) s")
        }
    }

    func testRate_whenRepeated_beginsAgainFromZero() throws {
        let curve = try XCTUnwrap(HeartRateCurve(points, end: .repeat))
        for seconds in stride(from: 0.0, to: 40, by: 2.5) {
            XCTAssertEqual(curve.rate(at: seconds + 40), curve.rate(at: seconds))
            XCTAssertEqual(curve.rate(at: seconds + 400), curve.rate(at: seconds))
        }
        XCTAssertEqual(curve.rate(at: 39.5), 80.5)
    }

    func testPoints_thatAreNoCurve_areRefused() {
        let low = HeartRateCurve.rates.lowerBound - 1
        let wrong: [[HeartRateCurve.Point]] = [
            [], [.init(atSeconds: -1, rate: 60)], [.init(atSeconds: 0, rate: low)],
            [.init(atSeconds: 0, rate: .nan)], [.init(atSeconds: .infinity, rate: 60)],
            [.init(atSeconds: 5, rate: 60), .init(atSeconds: 5, rate: 70)],
        ]
        for points in wrong { XCTAssertNil(HeartRateCurve(points), "\(points)") }
    }

    func testHeart_followsTheCurveBeatByBeat() throws {
        let curve = try XCTUnwrap(HeartRateCurve(points, end: .repeat))
        var heart = SimulatedHeart(seed: 1, curve: curve)
        while heart.elapsedSeconds < 100 {
            let start = heart.elapsedSeconds
            XCTAssertEqual(heart.nextInterval(), 60 / curve.rate(at: start))
        }
    }
}
