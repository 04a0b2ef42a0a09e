import HealthModel
import Platform
import XCTest

/// Tests for arithmetic with quantities.
final class QuantityArithmeticTests: XCTestCase {
    private func assertThrows(
        _ expected: QuantityError, _ body: @autoclosure () throws -> Any, line: UInt = #line
    ) {
        XCTAssertThrowsError(try body(), line: line) {
            XCTAssertEqual($0 as? QuantityError, expected, line: line)
        }
    }

    func testSumAndDifference_areInTheUnitOnTheLeft() throws {
        let kilometers = try Quantity(3, .kilometer)
        let meters = try Quantity(500, .meter)
        XCTAssertEqual(try kilometers.adding(meters), try Quantity(3.5, .kilometer))
        XCTAssertEqual(try meters.adding(kilometers), try Quantity(3_500, .meter))
        XCTAssertEqual(try kilometers.subtracting(meters), try Quantity(2.5, .kilometer))
        XCTAssertEqual(try meters.subtracting(kilometers), try Quantity(-2_500, .meter))
    }

    func testScaledAndRatio() throws {
        let distance = try Quantity(3, .kilometer)
        XCTAssertEqual(try distance.scaled(by: -2), try Quantity(-6, .kilometer))
        XCTAssertEqual(try distance.ratio(to: Quantity(2_000, .meter)), 1.5)
        XCTAssertEqual(try Quantity(0.5, .percent).ratio(to: Quantity(2, .count)), 0.25)
    }

    func testDimensions_cannotBeMixed() throws {
        let (one, other) = (try Quantity(1, .meter), try Quantity(1, .second))
        let expected = QuantityError.conversion(.incompatible(from: "s", to: "m"))
        assertThrows(expected, try one.adding(other))
        assertThrows(expected, try one.subtracting(other))
        assertThrows(expected, try one.ratio(to: other))
    }

    func testResult_whenNotFinite_throws() throws {
        let huge = try Quantity(.greatestFiniteMagnitude, .meter)
        assertThrows(.notFinite(unit: "m"), try huge.adding(huge))
        assertThrows(.notFinite(unit: "m"), try huge.scaled(by: -1).subtracting(huge))
        assertThrows(.notFinite(unit: "m"), try huge.scaled(by: 2))
        for factor in [Double.nan, .infinity] {
            assertThrows(.notFinite(unit: "m"), try huge.scaled(by: factor))
        }
        let nothing = try Quantity(0, .meter)
        assertThrows(.notFinite(unit: "()"), try huge.ratio(to: nothing))
        assertThrows(.notFinite(unit: "()"), try nothing.ratio(to: nothing))
        assertThrows(
            .conversion(.outOfRange(from: "km", to: "m")),
            try nothing.adding(Quantity(1e307, .kilometer)))
    }

    func testTemperatures_areNoAmounts() throws {
        let kelvin = try Unit(parsing: "K")
        let (warm, cold) = (try Quantity(20, .degreeCelsius), try Quantity(283.15, kelvin))
        let expected = QuantityError.offsetZero(unit: "degC")
        assertThrows(expected, try warm.adding(warm))
        assertThrows(expected, try cold.adding(warm))
        assertThrows(expected, try warm.subtracting(cold))
        assertThrows(expected, try warm.scaled(by: 2))
        assertThrows(expected, try cold.ratio(to: warm))
        XCTAssertEqual(try cold.ratio(to: cold), 1)
        // A rate of warming is an amount.
        let rate = try Quantity(1, Unit(parsing: "degC/min"))
        XCTAssertEqual(try rate.adding(rate).value, 2)
    }

    func testErrors_doNotTellTheValue() throws {
        let secret = try Quantity(123.25, .meter)
        for body in [
            { try secret.adding(Quantity(77, .second)) }, { try secret.scaled(by: .infinity) },
        ] {
            XCTAssertThrowsError(try body()) {
                XCTAssertFalse("\($0)".contains("123"))
                XCTAssertFalse("\($0)".contains("77"))
            }
        }
    }

    func testSum_lessWhatWasAdded_isTheSame() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        let units = [Unit.meter, .kilometer, .mile, .centimeter]
        for _ in 0..<500 {
            let quantities = try (0..<2).map { _ in
                try Quantity(
                    .random(in: -1_000...1_000, using: &generator),
                    units.randomElement(using: &generator) ?? .meter)
            }
            let back = try quantities[0].adding(quantities[1]).subtracting(quantities[1])
            let size = try quantities.map { abs(try $0.value(in: quantities[0].unit)) }.reduce(0, +)
            XCTAssertEqual(
                back.value, quantities[0].value, accuracy: 1e-12 * size, "seed \(seed)")
            XCTAssertEqual(back.unit, quantities[0].unit)
        }
    }
}
