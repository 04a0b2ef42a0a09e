import HealthModel
import HealthStatistics
import Platform
import Workouts
import XCTest

/// Energy by the heart rate.
final class HeartRateEnergyTests: XCTestCase {
    private var maker = SampleMaker()
    private let birth = CalendarDate(year: 1986, month: 11, day: 22)
    private let day = CalendarDate(year: 2026, month: 11, day: 22)

    private func equation(_ sex: BiologicalSex, _ kilograms: Double) throws -> HeartRateEnergy {
        try HeartRateEnergy(
            Person(name: "ada", birthDate: birth, sex: sex),
            bodyMass: Quantity(kilograms, .kilogram), on: XCTUnwrap(day))
    }

    func testPower_isThatOfThePublishedEquation() throws {
        // By hand: −55.0969 + 0.6309·130 + 0.1988·75 + 0.2017·40, and the like for a woman.
        XCTAssertEqual(
            try equation(.male, 75).kilojoulesPerMinute(at: 130), 49.8981, accuracy: 1e-9)
        XCTAssertEqual(
            try equation(.female, 62).kilojoulesPerMinute(at: 130), 32.8632, accuracy: 1e-9)
    }

    func testPower_belowTheLimit_isNone() throws {
        let equation = try equation(.male, 75)
        XCTAssertEqual(equation.kilojoulesPerMinute(at: 89.9), 0)
        XCTAssertGreaterThan(equation.kilojoulesPerMinute(at: 90), 0)
        XCTAssertEqual(equation.kilojoulesPerMinute(at: .nan), 0)
    }

    func testEnergy_ofASteadyRate_isPowerTimesTime() throws {
        let samples = try maker.rates(stride(from: 0.0, through: 600, by: 5).map { ($0, 130) })
        let estimate = try equation(.male, 75).energy(of: samples, in: SampleMaker.span(0, 900))
        XCTAssertEqual(estimate.energy.unit, .kilocalorie)
        XCTAssertEqual(estimate.energy.value, 49.8981 * 10 / 4.184, accuracy: 1e-9)
        XCTAssertEqual(estimate.seconds, 600, accuracy: 1e-9)
        XCTAssertEqual(estimate.secondsBelow, 0)
    }

    func testEnergy_whereTheRateCrossesTheLimit_beginsThere() throws {
        // From 70 to 130 in 60 s: 20 s below the limit, then 40 s of an average of 110.
        let samples = try maker.rates([(0, 70), (60, 130)])
        let equation = try equation(.male, 75)
        let estimate = try equation.energy(of: samples, in: SampleMaker.span(0, 60))
        let expected = equation.kilojoulesPerMinute(at: 110) * 40 / 60 / 4.184
        XCTAssertEqual(estimate.energy.value, expected, accuracy: 1e-9)
        XCTAssertEqual(estimate.secondsBelow, 20, accuracy: 1e-9)
        XCTAssertEqual(estimate.seconds, 40, accuracy: 1e-9)
    }

    func testEnergy_ofGapsAndOfNothing_isNone() throws {
        let samples = try maker.rates([(0, 130), (61, 130)])
        let equation = try equation(.female, 62)
        XCTAssertEqual(
            try equation.energy(of: samples, in: SampleMaker.span(0, 100)).energy.value, 0)
        XCTAssertEqual(try equation.energy(of: [], in: SampleMaker.span(0, 100)).energy.value, 0)
    }

    func testEnergy_isNeverNegative() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            // Far outside of the people that the equation was made with it gives less than 0.
            let equation = try equation(
                Bool.random(using: &generator) ? .female : .male,
                Double.random(in: 1...700, using: &generator))
            var readings: [(Double, Double)] = []
            for second in stride(from: 0.0, to: 300, by: 10) {
                readings.append((second, Double.random(in: 20...300, using: &generator)))
            }
            let samples = try maker.rates(readings)
            let whole = try equation.energy(of: samples, in: SampleMaker.span(0, 300))
            XCTAssertGreaterThanOrEqual(whole.energy.value, 0, "seed \(seed)")
            XCTAssertEqual(whole.seconds + whole.secondsBelow, 290, accuracy: 1e-6, "seed \(seed)")
            let cut = Double.random(in: 0...300, using: &generator)
            let parts = try [SampleMaker.span(0, cut), SampleMaker.span(cut, 300)].map {
                try equation.energy(of: samples, in: $0).energy.value
            }
            XCTAssertEqual(
                parts.reduce(0, +), whole.energy.value, accuracy: 1e-6, "seed \(seed)")
        }
    }

    func testInit_whenSomethingIsMissing_saysWhat() throws {
        let day = try XCTUnwrap(day)
        let mass = try Quantity(75, .kilogram)
        let vectors: [(CalendarDate?, BiologicalSex?, Quantity?, PersonalFact)] = [
            (nil, .male, mass, .birthDate), (birth, nil, mass, .sex),
            (birth, .male, nil, .bodyMass),
        ]
        for (birth, sex, mass, fact) in vectors {
            let person = try Person(name: "ada", birthDate: birth, sex: sex)
            XCTAssertThrowsError(try HeartRateEnergy(person, bodyMass: mass, on: day)) {
                guard case .missing(fact, _)? = $0 as? PersonalFactError else {
                    return XCTFail("\($0)")
                }
            }
        }
        XCTAssertThrowsError(try equation(.other, 75)) {
            guard case .sexNotCovered? = $0 as? PersonalFactError else { return XCTFail("\($0)") }
        }
        for mass in [try Quantity(0, .kilogram), try Quantity(75, .meter)] {
            let person = try Person(name: "ada", birthDate: birth, sex: .male)
            XCTAssertThrowsError(try HeartRateEnergy(person, bodyMass: mass, on: day)) {
                guard case .implausible(.bodyMass, _)? = $0 as? PersonalFactError else {
                    return XCTFail("\($0)")
                }
            }
        }
    }
}
