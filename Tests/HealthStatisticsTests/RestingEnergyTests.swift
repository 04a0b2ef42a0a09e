import HealthModel
import XCTest

@testable import HealthStatistics

/// Tests for the resting energy of a day.
final class RestingEnergyTests: XCTestCase {
    private let birth = CalendarDate(year: 1986, month: 11, day: 22)
    private let day = CalendarDate(year: 2026, month: 11, day: 22)

    private func energy(
        _ sex: BiologicalSex?, birth: CalendarDate?, _ mass: Quantity?, _ height: Quantity?
    ) throws -> Quantity {
        try RestingEnergy.perDay(
            of: Person(name: "ada", birthDate: birth, sex: sex), bodyMass: mass, height: height,
            on: XCTUnwrap(day))
    }

    func testEnergy_isThatOfThePublishedEquation() throws {
        let (mass, height) = (try Quantity(80, .kilogram), try Quantity(180, .centimeter))
        // Calculated manually: 800 + 1,125 − 200, and 5 or −161.
        let male = try energy(.male, birth: birth, mass, height)
        XCTAssertEqual(male.value, 1_730, accuracy: 1e-9)
        XCTAssertEqual(male.unit.string, "kcal/d")
        XCTAssertEqual(
            try energy(.female, birth: birth, mass, height).value, 1_564, accuracy: 1e-9)
        let younger = try XCTUnwrap(CalendarDate(year: 1986, month: 11, day: 23))
        XCTAssertEqual(
            try energy(.male, birth: younger, mass, height).value, 1_735, accuracy: 1e-9)
    }

    func testEnergy_inOtherUnits_isTheSame() throws {
        let inches = try Quantity(72, Unit(parsing: "in"))
        let result = try energy(.male, birth: birth, Quantity(180, .pound), inches)
        // 10 · 81.6466266 + 6.25 · 182.88 − 200 + 5
        XCTAssertEqual(result.value, 1_764.466266, accuracy: 1e-6)
    }

    func testEnergy_ofATime_isTheRateTimesIt() throws {
        let (mass, height) = (try Quantity(80, .kilogram), try Quantity(1.8, .meter))
        let rate = try energy(.male, birth: birth, mass, height)
        let perHour = try rate.value(in: Unit(parsing: "kcal/hr"))
        XCTAssertEqual(perHour * 24, 1_730, accuracy: 1e-9)
    }

    func testEnergy_whenAFactIsMissing_namesIt() throws {
        let (mass, height) = (try Quantity(80, .kilogram), try Quantity(1.8, .meter))
        let vectors: [(BiologicalSex?, CalendarDate?, Quantity?, Quantity?, PersonalFact, String)] =
            [
                (nil, birth, mass, height, .sex, "sex"),
                (.male, nil, mass, height, .birthDate, "birth date"),
                (.male, birth, nil, height, .bodyMass, "body mass"),
                (.male, birth, mass, nil, .height, "height"),
            ]
        for (sex, birth, mass, height, fact, words) in vectors {
            XCTAssertThrowsError(try energy(sex, birth: birth, mass, height)) {
                guard case .missing(fact, _)? = $0 as? PersonalFactError else {
                    return XCTFail("\($0)")
                }
                XCTAssertTrue("\($0)".contains(words), "\($0)")
            }
        }
    }

    func testEnergy_whenTheSexIsOther_throws() throws {
        XCTAssertThrowsError(
            try energy(.other, birth: birth, Quantity(80, .kilogram), Quantity(1.8, .meter))
        ) {
            guard case .sexNotCovered? = $0 as? PersonalFactError else { return XCTFail("\($0)") }
        }
    }

    func testEnergy_whenNotPlausible_throws() throws {
        let (mass, height) = (try Quantity(80, .kilogram), try Quantity(1.8, .meter))
        let wrong: [(Quantity, Quantity)] = [
            (try Quantity(0, .kilogram), height), (try Quantity(-80, .kilogram), height),
            (try Quantity(1e300, .kilogram), height), (try Quantity(80, .meter), height),
            (mass, try Quantity(180, .meter)), (mass, try Quantity(0, .meter)),
            (mass, try Quantity(1.8, .kilogram)),
        ]
        for (mass, height) in wrong {
            XCTAssertThrowsError(try energy(.male, birth: birth, mass, height)) {
                guard case .implausible? = $0 as? PersonalFactError else { return XCTFail("\($0)") }
            }
        }
        // Plausible one by one, but not together.
        let old = CalendarDate(year: 1910, month: 1, day: 1)
        XCTAssertThrowsError(
            try energy(.female, birth: old, Quantity(1, .kilogram), Quantity(0.3, .meter))
        ) {
            guard case .noResult? = $0 as? PersonalFactError else { return XCTFail("\($0)") }
        }
    }
}
