import HealthModel
import XCTest

/// Tests for the units that HealthKit accepts and rejects.
///
/// The lines were asserted against the real framework by the tests of StanfordSpezi/SpeziHealthKit
/// (HKUnitTests); comments mark deliberate differences.
final class UnitCorpusTests: XCTestCase {
    private func unit(_ text: String) throws -> Unit {
        do {
            return try Unit(parsing: text)
        } catch {
            XCTFail("\(text): \(error)")
            throw error
        }
    }

    private func assertOneUnit(_ texts: [String], line: UInt = #line) throws {
        let first = try unit(texts[0])
        for text in texts {
            XCTAssertEqual(try unit(text), first, text, line: line)
            XCTAssertEqual(try unit(text).string, first.string, text, line: line)
        }
    }

    // MARK: Traps

    func testPercentAndCount_haveOneScale() throws {
        XCTAssertEqual(try Quantity(0.97, .percent).value(in: .count), 0.97)
        XCTAssertEqual(try Quantity(1.1, .count).value(in: .percent), 1.1)
        XCTAssertEqual(try Quantity(0.97, .percent).description, "0.97 %")
        // So 90.2 in % is 9,020 %, which is not a valid oxygen saturation.
        XCTAssertFalse(
            try QuantityType.oxygenSaturation.isPlausible(Quantity(90.2, .percent)))
    }

    func testUnit_hasOneDivision_soThatMlPerKgPerMinFailsAndItsCanonicalTextParses() throws {
        XCTAssertThrowsError(try Unit(parsing: "ml/kg/min")) {
            let error = $0 as? UnitParseError
            XCTAssertEqual(error?.offset, 5)
            XCTAssertEqual(error?.suggestion, "mL/min·kg")
            XCTAssertEqual(
                "\($0)",
                "not a unit: expected the end, as a unit has only one / at byte 5; use mL/min·kg")
        }
        XCTAssertEqual(try unit("mL/min·kg").string, "mL/min·kg")
        XCTAssertEqual(try unit("mL/min·kg"), .milliliterPerMinuteAndKilogram)
    }

    func testOffsetUnits_loseTheOffsetInProducts() throws {
        XCTAssertEqual(try unit("degC").convert(27, to: unit("degF")), 80.6)
        XCTAssertEqual(try unit("degF").convert(-459.67, to: unit("K")), 0)
        XCTAssertEqual(try unit("degC·m").convert(1.1, to: unit("degF·m")), 1.98)
        XCTAssertEqual(try unit("degC/s").convert(1, to: unit("degF/s")), 1.8)
        XCTAssertEqual(try unit("1/degF").convert(1, to: unit("1/degC")), 1.8)
    }

    func testMoleOfAMolarMass_isAMassAndPrints16Digits() throws {
        let glucose = try unit("mol<180.15588000005408>")
        XCTAssertEqual(glucose.string, "mol<180.1558800000541>")
        XCTAssertTrue(glucose.isCompatible(with: .kilogram))
        XCTAssertEqual(try glucose.convert(1, to: unit("g")), 180.15588000005408, accuracy: 1e-12)
        XCTAssertFalse(glucose.isCompatible(with: try unit("mol")))
        XCTAssertEqual(try unit("mmol<180.1558800000541>/L").string, "mmol<180.1558800000541>/L")
        try assertOneUnit(["mmol<180.15588000005408>/L", "mmol<180.1558800000541>/L"])
    }

    // MARK: Accepted

    func testAccepted_nullUnit() throws {
        try assertOneUnit(["", "()", "(())", "m/m", "m^0"])
        XCTAssertEqual(try unit("").string, "()")
    }

    func testAccepted_powersAndGroups() throws {
        try assertOneUnit(["m", "m^1", "(m)", "((m))"])
        try assertOneUnit(["m^4", "(m^2)^2"])
        try assertOneUnit(["m·m", "(m)·(m)", "m*m", "m.m", "m^2"])
        try assertOneUnit(["atm·m^2·L^2", "atm·(m·L)^2"])
        try assertOneUnit([
            "m^4·atm^2·GL/in^2", "(m^2·atm)^2·GL/in^2", "((m·atm)^2)^2·GL/(in^2·atm^2)",
        ])
    }

    func testAccepted_divisions() throws {
        try assertOneUnit(["1/s", "s^-1"])
        try assertOneUnit(["1/s^2", "s^-2"])
        try assertOneUnit(["m/s", "m·1/s"])
        try assertOneUnit(["kg/m.s^2", "kg/(m.s^2)", "kg.m^-1.s^-2"])
        try assertOneUnit(["ml/(kg*min)", "mL/min·kg"])
    }

    func testAccepted_symbols() throws {
        let texts = [
            "%/m", "cup_us", "yd", "deg", "D", "pD", "mol<1234>", "Gmol<1234>", "mol", "Gmol",
            "g", "oz", "lb", "st", "in", "ft", "mi", "L", "fl_oz_us", "fl_oz_imp", "cup_imp",
            "pt_us", "pt_imp", "Pa", "mmHg", "inHg", "cmAq", "atm", "dBASPL", "dBHL", "s", "min",
            "hr", "d", "J", "cal", "kcal", "Cal", "K", "degC", "degF", "S", "Hz", "V", "W", "rad",
            "lx", "IU", "count", "%", "appleEffortScore",
        ]
        for text in texts { XCTAssertEqual(try unit(text).string, text) }
        XCTAssertEqual(try unit("l").string, "L")
        XCTAssertEqual(try unit("mg/dl").string, "mg/dL")
        XCTAssertNotEqual(try unit("mol"), try unit("mol<1234>"))
    }

    func testAccepted_allPrefixesOfAllUnitsThatTakeThem() throws {
        let prefixes: [(String, Double)] = [
            ("f", 1e-15), ("p", 1e-12), ("n", 1e-9), ("mc", 1e-6), ("m", 1e-3), ("c", 1e-2),
            ("d", 1e-1), ("da", 1e1), ("h", 1e2), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12),
        ]
        let names = [
            "g", "m", "L", "Pa", "s", "J", "K", "S", "Hz", "V", "W", "rad", "lx", "mol",
            "mol<18.5>",
        ]
        for name in names {
            for (prefix, factor) in prefixes {
                XCTAssertEqual(
                    try unit(prefix + name).convert(1, to: unit(name)), factor, prefix + name)
            }
        }
    }

    // MARK: Refused

    func testRefused() {
        let texts = [
            "(", ")", "/s", "(m)(m)", "m(m)", "()·()", "()·m", "m·()", "()^2", "(m·atm/in^4)^2",
            "m^2^2", "ml/kg/min", "percent", "mol<>", "km<123>", "µg", "ug", "kkcal", "kcount",
            "klb", "kmmHg", "kIU", "h", "bpm",
        ]
        for text in texts {
            XCTAssertThrowsError(try Unit(parsing: text), text) {
                XCTAssertTrue($0 is UnitParseError, text)
            }
        }
    }

    func testRefused_whenDividedTwice_suggestsWhatWasMeant() {
        let suggestions: [(String, String?)] = [
            ("m/s/s", "m/s^2"), ("kcal/kg/hr", "kcal/hr·kg"), ("1/s/m", "1/m·s"),
            ("mg/kg/d/L", "mg/L·d·kg"), ("m/m/m", "1/m"), ("m/s/m", "1/s"),
            ("g/(m·s)/K", "g/m·s·K"),
            // Other errors have no suggestion.
            ("ml/kg/minute", nil), ("ml/kg/", nil), ("ml//kg", nil), ("ml/kg/()", nil),
            ("ml/kg/1/s", nil), ("m^20/s/m^-20", nil), ("m/s)", nil), ("(m/s)/s", nil),
        ]
        for (text, suggestion) in suggestions {
            XCTAssertThrowsError(try Unit(parsing: text), text) {
                XCTAssertEqual(($0 as? UnitParseError)?.suggestion, suggestion, text)
            }
        }
    }

    // MARK: Compatible

    func testCompatible() throws {
        let pairs = [
            ("%", "count"), ("%/m", "count/in"), ("cm", "m"), ("m^3", "L"), ("m·km·mm", "L"),
            ("mol<123>", "kmol<456>"), ("Gmol", "kmol"), ("m/s^2", "cm/s^2"), ("count/s", "1/s"),
            ("count/min", "Hz"),
            // The real framework rejects these two (FB22085099, FB21934449).
            ("W", "J/s"), ("m^1", "m"),
        ]
        for (one, other) in pairs {
            XCTAssertTrue(try unit(one).isCompatible(with: unit(other)), "\(one) \(other)")
        }
    }

    func testNotCompatible() throws {
        let pairs = [
            ("m", "g"), ("%/m", "%/m^2"), ("mol<180>", "mol"), ("IU", "count"), ("IU", "g"),
            ("D", "1/m"), ("dBHL", "count"), ("dBHL", "dBASPL"), ("appleEffortScore", "count"),
        ]
        for (one, other) in pairs {
            XCTAssertFalse(try unit(one).isCompatible(with: unit(other)), "\(one) \(other)")
        }
    }

    func testCountPerPercentAndVolumePerVolume_areNotNull() throws {
        for text in ["count/%", "dL/L"] {
            XCTAssertNotEqual(try unit(text), .null, text)
            XCTAssertEqual(try unit(text).string, text)
        }
    }

    // MARK: Values

    func testValues() throws {
        let vectors: [(Double, String, String, Double)] = [
            (187, "cm", "m", 1.87), (1, "oz", "g", 28.349523125), (1_000, "mL", "L", 1),
            (1, "m^3", "L", 1_000), (72, "count/min", "count/s", 1.2), (1, "kcal", "J", 4_184),
            (27, "degC", "degF", 80.6), (0.5, "%", "count", 0.5),
        ]
        for (value, from, to, expected) in vectors {
            XCTAssertEqual(try unit(from).convert(value, to: unit(to)), expected, "\(from) \(to)")
        }
        XCTAssertEqual(
            try unit("m^4·atm^2·GL/in^2").convert(12.7, to: unit("in^2·atm^2·GL")),
            30_511_872.047366135, accuracy: 1e-7)
        XCTAssertEqual(
            try unit("mmol<180.15588000005408>/L").convert(1, to: unit("mg/dL")),
            18.015588000005408, accuracy: 1e-14)
    }
}
