import HealthModel
import Platform
import XCTest

final class UnitParsingTests: XCTestCase {
    func testParse_whenSpelledDifferently_isEqual() throws {
        let groups = [
            ["", "()", "(())", "((()))", "m/m", "m^0", "m·m^-1"],
            ["m", "m^1", "(m)", "((m))", "m^2/m"],
            ["m^4", "(m^2)^2", "m·m·m·m"],
            ["(m)·(m)", "m·m", "m*m", "m.m", "m^2"],
            ["atm·(m·L)^2", "atm·m^2·L^2"],
            [
                "m^4·atm^2·GL/in^2", "(m^2·atm)^2·GL/in^2", "((m·atm)^2)^2·GL/in^2·atm^2",
            ],
            ["1/s", "s^-1", "m·1/m·s"],
            ["1/s^2", "s^-2", "1/(s·s)"],
            ["m·1/s", "m/s", "m·s^-1"],
            ["kg/m.s^2", "kg/(m.s^2)", "kg.m^-1.s^-2"],
            ["ml/(kg*min)", "mL/min·kg", "ml/kg.min"],
            ["mg/dl", "mg/dL"],
            ["mmol<180.15588000005408>/L", "mmol<180.1558800000541>/l"],
        ]
        for group in groups {
            let units = try group.map { try Unit(parsing: $0) }
            for (unit, text) in zip(units, group) {
                XCTAssertEqual(unit, units[0], text)
                XCTAssertEqual(unit.hashValue, units[0].hashValue, text)
            }
        }
    }

    func testParse_whenKnownSymbol_isAccepted() throws {
        let texts = [
            "%/m", "cup_us", "cup_imp", "fl_oz_us", "fl_oz_imp", "pt_us", "pt_imp", "yd", "deg",
            "D", "pD", "mol<1234>", "Gmol<1234>", "mol", "Gmol", "mmHg", "cmAq", "inHg", "dBASPL",
            "dBHL", "IU", "Cal", "cal", "kcal", "hr", "d", "das", "mcg", "fs", "THz",
            "appleEffortScore",
        ]
        for text in texts { XCTAssertEqual(try Unit(parsing: text).string, text) }
    }

    func testParse_whenTokenCouldBePrefixed_takesTheWholeSymbol() throws {
        XCTAssertTrue(try Unit(parsing: "min").isCompatible(with: .second))
        XCTAssertTrue(try Unit(parsing: "cal").isCompatible(with: .joule))
        XCTAssertTrue(try Unit(parsing: "ft").isCompatible(with: .meter))
        XCTAssertFalse(try Unit(parsing: "pD").isCompatible(with: Unit(parsing: "D")))
        XCTAssertEqual(try Unit(parsing: "dam").convert(1, to: .meter), 10)
        XCTAssertEqual(try Unit(parsing: "dm").convert(1, to: .meter), 0.1)
    }

    func testParse_whenMalformed_throws() {
        let texts = [
            "(", ")", "/", "/s", "m/", "1", "1/", "1/()", "(m)(m)", "m(m)", "(1/s)", "1·m", "m/1",
            "()·()", "()·m", "m·()", "(())·m", "()^2", "(())^2", "()/s", "m/()", "m·", "·m", "m··m",
            "(m·atm/in^4)^2", "m^2^2", "m^", "m^-", "m^+2", "m^2.5", "^2", "ml/kg/min", "m/s/s",
            "percent", "mol<>", "mol<1", "mol<a>", "mol<1.>", "mol<.1>", "mol<-1>", "mol<0>",
            "mol<1e3>", "mol<1.2.3>", "mol<1><1>", "km<123>", "m<1>", "kmin", "mhr", "kD", "kIU",
            "h", "µg", "um", "M", " m", "m ", "m s", "count/ min", "m\u{0}", "💓", "m\u{B7}",
            "\u{B7}", "1m", "m2",
        ]
        for text in texts { XCTAssertThrowsError(try Unit(parsing: text), text) }
    }

    func testParse_whenMalformed_tellsWhere() {
        let vectors: [(String, Int)] = [
            ("percent", 0), ("count/percent", 6), ("ml/kg/min", 5), ("m·()", 3), ("()·m", 0),
            ("(m", 2), ("m^x", 2), ("mol<x>", 4), ("m·(s/m)", 5), ("m^999", 0),
        ]
        for (text, offset) in vectors {
            XCTAssertThrowsError(try Unit(parsing: text), text) {
                XCTAssertEqual(($0 as? UnitParseError)?.offset, offset, text)
            }
        }
    }

    func testParse_ofACommonSpelling_throwsAndSuggestsTheUnit() {
        let vectors = [
            ("bpm", "count/min"), ("BPM", "count/min"), ("steps", "count"), ("percent", "%"),
            ("C", "degC"), ("°C", "degC"), ("F", "degF"), ("kcal/day", "kcal/d"), ("Kcal", "kcal"),
            ("km/h", "km/hr"), ("mph", "mi/hr"), ("lbs", "lb"), ("KG", "kg"), ("µg", "mcg"),
            ("beats/minute", "count/min"), ("sec", "s"), ("ml/kg/min", "mL/min·kg"),
            ("N", "m·kg/s^2"), ("newtons", "m·kg/s^2"), ("N*m", "m^2·kg/s^2"), ("N/m", "kg/s^2"),
        ]
        for (text, unit) in vectors {
            XCTAssertThrowsError(try Unit(parsing: text), text) {
                XCTAssertEqual(($0 as? UnitParseError)?.suggestion, unit, text)
            }
            XCTAssertEqual(try Unit(parsing: unit).string, unit)
        }
        for text in ["foo", "bpm/", "(steps", "m\u{0}", "💓", "\u{600}", "bpm\u{600}"] {
            XCTAssertThrowsError(try Unit(parsing: text), text) {
                XCTAssertNil(($0 as? UnitParseError)?.suggestion, text)
            }
        }
    }

    func testParse_whenBeyondALimit_throws() {
        let texts = [
            String(repeating: "m", count: 129), Self.group(depth: 17), Self.group(depth: 60),
            "m^21", "m^-21", "m^99999999999999999999", "(m^20)^2", "m^20·m", "1/m^20·m",
            "Tm^20·TL^20", "oz^20", "(mm·cm·dm·km·Mm·Gm·Tm·hm·pm·nm·fm·s·ms)^20",
        ]
        for text in texts { XCTAssertThrowsError(try Unit(parsing: text), text) }
    }

    func testParse_whenAtTheLimits_isAccepted() {
        let product = "m" + String(repeating: ".m.m^-1", count: 18)
        for text in ["m^20", "m^-20", Self.group(depth: 16), product] {
            XCTAssertNoThrow(try Unit(parsing: text), text)
        }
    }

    private static func group(depth: Int) -> String {
        String(repeating: "(", count: depth) + "m" + String(repeating: ")", count: depth)
    }

    func testParse_whenRandom_neverTraps() {
        let seed: UInt64 = 7
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "m", "s", "kg", "mol", "<", ">", "1", "2", "0", "9", "^", "-", "(", ")", "/", "·", ".",
            "*", "%", "count", "m", "é", "mol<18.5>", "",
        ]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            guard let unit = try? Unit(parsing: text) else { continue }
            XCTAssertEqual(try? Unit(parsing: unit.string), unit, "\(text), seed \(seed)")
        }
    }
}

final class UnitStringTests: XCTestCase {
    func testString_isCanonical() throws {
        let vectors = [
            ("ml/(kg*min)", "mL/min·kg"), ("kcal/(kg*hr)", "kcal/hr·kg"),
            ("m.s^-2", "m/s^2"),
            ("L^2/min^2", "L^2/min^2"), ("L^-1", "1/L"), ("s^-2·m^-1", "1/m·s^2"), ("", "()"),
            ("mg/dl", "mg/dL"), ("hr*L", "L·hr"), ("hr.atm.L", "L·atm·hr"),
            ("count.min", "min·count"),
            ("mg/(s*dL)", "mg/dL·s"), ("min^-1.count", "count/min"), ("km/hr", "km/hr"),
            ("mmol<180.15588000005408>/L", "mmol<180.1558800000541>/L"), ("mol<18>", "mol<18>"),
            ("Cal", "Cal"), ("count/%", "count/%"), ("dL/L", "dL/L"), ("cm*m", "m·cm"),
        ]
        for (text, canonical) in vectors {
            XCTAssertEqual(try Unit(parsing: text).string, canonical, text)
        }
    }

    func testString_ofCommonUnits_isWhatParsesToThem() throws {
        let units: [(Unit, String)] = [
            (.null, "()"), (.count, "count"), (.percent, "%"), (.countPerMinute, "count/min"),
            (.countPerSecond, "count/s"), (.meter, "m"), (.centimeter, "cm"), (.kilometer, "km"),
            (.mile, "mi"), (.meterPerSecond, "m/s"), (.kilometerPerHour, "km/hr"), (.second, "s"),
            (.millisecond, "ms"), (.minute, "min"), (.hour, "hr"), (.joule, "J"),
            (.kilojoule, "kJ"), (.kilocalorie, "kcal"), (.watt, "W"), (.kilogram, "kg"),
            (.pound, "lb"), (.degreeCelsius, "degC"), (.millimeterOfMercury, "mmHg"),
            (.milligramPerDeciliter, "mg/dL"), (.milliliterPerMinuteAndKilogram, "mL/min·kg"),
            (.kilocaloriePerHourAndKilogram, "kcal/hr·kg"),
            (.kilocaloriePerDay, "kcal/d"), (.decibelSoundPressureLevel, "dBASPL"),
            (.effortScore, "appleEffortScore"),
        ]
        for (unit, text) in units {
            XCTAssertEqual(unit.string, text)
            XCTAssertEqual(try Unit(parsing: text), unit)
        }
    }

    func testEquality_whenOnlyCompatible_isFalse() throws {
        let pairs = [
            ("L", "m^3"), ("kcal", "Cal"), ("%", "count"), ("count", ""), ("Hz", "1/s"),
            ("W", "J/s"),
        ]
        for (first, second) in pairs {
            XCTAssertNotEqual(try Unit(parsing: first), try Unit(parsing: second))
        }
    }
}
