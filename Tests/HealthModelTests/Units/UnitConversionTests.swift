import HealthModel
import Platform
import XCTest

final class UnitConversionTests: XCTestCase {
    func testIsCompatible_whenSameDimension_isTrue() throws {
        let pairs = [
            ("%", "count"), ("%/m", "count/in"), ("cm", "m"), ("m^3", "L"), ("m·km·mm", "L"),
            ("mol<123>", "kmol<456>"), ("mol<18>", "g"), ("Gmol", "kmol"), ("m/s^2", "cm/s^2"),
            ("W", "J/s"), ("m^1", "m"), ("", "count"), ("", "%"), ("dL/L", ""), ("Hz", "1/s"),
            ("count/min", "Hz"), ("Pa", "kg/m·s^2"), ("J", "Pa·m^3"), ("V^2·S", "W"),
            ("degF", "K"),
            ("deg", "rad"), ("L·atm", "kcal"),
        ]
        for (first, second) in pairs {
            let (one, other) = (try Unit(parsing: first), try Unit(parsing: second))
            XCTAssertTrue(one.isCompatible(with: other), "\(first) \(second)")
            XCTAssertTrue(other.isCompatible(with: one), "\(second) \(first)")
        }
    }

    func testIsCompatible_whenOtherDimension_isFalse() throws {
        let pairs = [
            ("m", "g"), ("%/m", "%/m^2"), ("mol<18>", "mol"), ("IU", "count"), ("IU", "g"),
            ("D", "1/m"), ("D", "pD"), ("dBHL", "dBASPL"), ("dBHL", "count"),
            ("appleEffortScore", "count"), ("", "m"), ("rad", "count"), ("lx", "W/m^2"),
            ("s", "1/s"), ("mol", "count"),
        ]
        for (first, second) in pairs {
            let (one, other) = (try Unit(parsing: first), try Unit(parsing: second))
            XCTAssertFalse(one.isCompatible(with: other), "\(first) \(second)")
            XCTAssertThrowsError(try one.convert(1, to: other), "\(first) \(second)") {
                XCTAssertEqual(
                    $0 as? UnitConversionError,
                    .incompatible(from: one.string, to: other.string))
            }
        }
    }

    func testConvert_isExact() throws {
        let vectors: [(Double, String, String, Double)] = [
            (187, "cm", "m", 1.87), (72, "count/min", "count/s", 1.2),
            (1.2, "count/s", "count/min", 72), (1_000, "mL", "L", 1), (1, "m^3", "L", 1_000),
            (1, "oz", "g", 28.349523125), (1, "kcal", "J", 4_184), (1, "Cal", "kcal", 1),
            (0.5, "%", "count", 0.5), (1.1, "count", "%", 1.1), (36, "km/hr", "m/s", 10),
            (851.5625, "ms", "s", 0.8515625), (1, "lb", "kg", 0.45359237),
            (1, "mi", "km", 1.609344),
            (1, "in", "cm", 2.54), (1, "st", "lb", 14), (1, "ft", "in", 12), (3, "ft", "yd", 1),
            (1, "cup_us", "mL", 236.5882365), (1, "fl_oz_us", "mL", 29.5735295625),
            (2, "pt_imp", "mL", 1_136.5225), (760, "mmHg", "Pa", 101_325.0144354),
            (1, "d", "hr", 24), (180, "deg", "rad", .pi), (1, "mol<18>", "g", 18),
            (100, "W", "J/s", 100),
            (0.1, "mi", "m", 160.9344), (60, "Hz", "count/min", 3_600), (0, "cm", "m", 0),
            (-40, "cm", "m", -0.4),
        ]
        for (value, from, to, expected) in vectors {
            let result = try Unit(parsing: from).convert(value, to: Unit(parsing: to))
            XCTAssertEqual(result, expected, "\(value) \(from) in \(to)")
        }
    }

    func testConvert_whenBareTemperature_movesTheZero() throws {
        let vectors: [(Double, String, String, Double)] = [
            (27, "degC", "degF", 80.6), (98.6, "degF", "degC", 37), (36.6, "degC", "degF", 97.88),
            (-40, "degC", "degF", -40), (0, "degC", "K", 273.15), (300.25, "K", "degC", 27.1),
            (300_150, "mK", "degC", 27), (32, "degF", "K", 273.15), (37.5, "degC", "degC", 37.5),
        ]
        for (value, from, to, expected) in vectors {
            let result = try Unit(parsing: from).convert(value, to: Unit(parsing: to))
            XCTAssertEqual(result, expected, "\(value) \(from) in \(to)")
        }
    }

    func testConvert_whenTemperatureInAProduct_isADifference() throws {
        XCTAssertEqual(try Unit(parsing: "degC·m").convert(1.1, to: Unit(parsing: "degF·m")), 1.98)
        XCTAssertEqual(try Unit(parsing: "degC^2").convert(1, to: Unit(parsing: "degF^2")), 3.24)
        XCTAssertEqual(try Unit(parsing: "m/degC").convert(9, to: Unit(parsing: "m/K")), 9)
    }

    func testConvert_whenUnitsCancel_isWithinRounding() throws {
        let result = try Unit(parsing: "m^4·atm^2·GL/in^2").convert(
            12.7, to: Unit(parsing: "in^2·atm^2·GL"))
        XCTAssertEqual(result, 30_511_872.047366135, accuracy: 1e-8)
    }

    func testConvert_whenGlucose_usesTheMolarMass() throws {
        let result = try Unit(parsing: "mmol<180.15588000005408>/L").convert(
            1, to: .milligramPerDeciliter)
        XCTAssertEqual(result, 18.015588000005408, accuracy: 1e-14)
    }

    func testConvert_whenNotFinite_throws() throws {
        let (tera, femto) = (try Unit(parsing: "Tm"), try Unit(parsing: "fm"))
        for value in [Double.greatestFiniteMagnitude, .infinity, -.infinity, .nan] {
            XCTAssertThrowsError(try tera.convert(value, to: femto)) {
                XCTAssertEqual($0 as? UnitConversionError, .outOfRange(from: "Tm", to: "fm"))
            }
        }
        XCTAssertThrowsError(try tera.convert(.nan, to: tera))
    }

    func testConvert_whenUnitsAreExtreme_isFiniteOrThrows() throws {
        let (large, small) = (try Unit(parsing: "Tm^6"), try Unit(parsing: "fm^5·m"))
        XCTAssertEqual(try large.convert(1, to: small), 1e147, accuracy: 1e132)
        XCTAssertEqual(try small.convert(1, to: large), 1e-147, accuracy: 1e-162)
        XCTAssertThrowsError(try large.convert(1e200, to: small))
    }

    func testConvert_thereAndBack_isTheSame() throws {
        let seed: UInt64 = 42
        var generator = SeededGenerator(seed: seed)
        let pairs = [
            ("lb", "kg"), ("mi", "km"), ("count/min", "count/s"), ("kcal", "kJ"), ("degF", "degC"),
        ]
        for (from, to) in pairs {
            let (unit, other) = (try Unit(parsing: from), try Unit(parsing: to))
            for _ in 0..<500 {
                let value = Double.random(in: -1_000...1_000, using: &generator)
                let back = try other.convert(unit.convert(value, to: other), to: unit)
                XCTAssertEqual(
                    back, value, accuracy: 1e-12 * max(1_000, abs(value)), "seed \(seed)")
            }
        }
    }
}

final class QuantityTests: XCTestCase {
    func testInit_whenNotFinite_throws() {
        for value in [Double.nan, .infinity, -.infinity] {
            XCTAssertThrowsError(try Quantity(value, .count)) {
                XCTAssertEqual($0 as? QuantityError, .notFinite(unit: "count"))
            }
        }
    }

    func testValue_whenIncompatible_throwsWithoutTheValue() throws {
        let quantity = try Quantity(72.25, .countPerMinute)
        XCTAssertEqual(try quantity.value(in: .countPerMinute), 72.25)
        XCTAssertTrue(quantity.isCompatible(with: .countPerSecond))
        XCTAssertFalse(quantity.isCompatible(with: .meter))
        XCTAssertThrowsError(try quantity.value(in: .meter)) {
            XCTAssertEqual(
                $0 as? QuantityError, .conversion(.incompatible(from: "count/min", to: "m")))
            XCTAssertFalse("\($0)".contains("72"))
        }
    }

    func testCompare_acrossUnits() throws {
        let meter = try Quantity(1, .meter)
        XCTAssertEqual(try meter.compare(to: Quantity(100, .centimeter)), .equal)
        XCTAssertEqual(try meter.compare(to: Quantity(1, .kilometer)), .less)
        XCTAssertEqual(try meter.compare(to: Quantity(99.5, .centimeter)), .greater)
        XCTAssertThrowsError(try meter.compare(to: Quantity(1, .second)))
    }

    func testDescription_isValueAndUnit() throws {
        XCTAssertEqual(try Quantity(72, .countPerMinute).description, "72 count/min")
        XCTAssertEqual(try Quantity(1.87, .meter).description, "1.87 m")
    }
}
