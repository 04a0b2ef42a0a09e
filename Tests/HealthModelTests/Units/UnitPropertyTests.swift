import HealthModel
import Platform
import XCTest

/// Tests for properties of all units.
final class UnitPropertyTests: XCTestCase {
    private static let prefixes = [
        "f", "p", "n", "mc", "m", "c", "d", "", "da", "h", "k", "M", "G", "T",
    ]

    private static func prefixed(_ name: String) -> [String] { prefixes.map { $0 + name } }

    /// All single units and common products, by dimension.
    private static let groups: [[String]] = [
        prefixed("m") + ["in", "ft", "yd", "mi"],
        prefixed("L")
            + ["fl_oz_us", "fl_oz_imp", "cup_us", "cup_imp", "pt_us", "pt_imp", "m^3", "cm^3"],
        prefixed("g") + prefixed("mol<180.1558800000541>") + ["oz", "lb", "st", "mol<18.5>"],
        prefixed("mol"),
        prefixed("Pa") + ["mmHg", "inHg", "cmAq", "atm", "kg/m·s^2"],
        prefixed("s") + ["min", "hr", "d"],
        prefixed("J") + ["cal", "kcal", "Cal", "L·atm", "W·s"],
        prefixed("W") + ["J/s", "kcal/d", "kJ/min"],
        prefixed("Hz") + ["1/s", "count/min", "count/s", "1/min", "count/hr"],
        prefixed("K") + ["degC", "degF"],
        prefixed("S"), prefixed("V"), prefixed("rad") + ["deg"], prefixed("lx"),
        ["count", "%", "", "dL/L"],
        ["mg/dL", "mmol<180.1558800000541>/L", "g/L", "kg/m^3", "lb/ft^3"],
        ["mL/min·kg", "L/s·g", "mL/kg·hr", "m^3/d·lb"],
        ["kcal/hr·kg", "W/kg", "J/s·g", "kJ/d·lb"],
        ["m/s", "km/hr", "mi/hr", "ft/min", "in/d"], ["m/s^2", "cm/s^2", "km/hr^2"],
        ["dBASPL"], ["dBHL"], ["D"], ["pD"], ["IU"], ["appleEffortScore"], ["IU/L", "IU/m^3"],
    ]

    /// The distance of a value from absolute zero in a unit, which determines the precision.
    private static func zero(in unit: Unit) throws -> Double {
        let kelvin = try Unit(parsing: "K")
        return unit.isCompatible(with: kelvin) ? abs(try kelvin.convert(500, to: unit)) : 0
    }

    private static func units() throws -> [(group: Int, unit: Unit)] {
        try groups.enumerated().flatMap { group, texts in
            try texts.map { (group, try Unit(parsing: $0)) }
        }
    }

    func testIsCompatible_isTrueForUnitsOfOneDimensionOnly() throws {
        let units = try Self.units()
        for (group, unit) in units {
            for (otherGroup, other) in units {
                XCTAssertEqual(
                    unit.isCompatible(with: other), group == otherGroup, "\(unit) \(other)")
            }
        }
    }

    func testConvert_thereAndBackBetweenEveryPair_isTheSame() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        let units = try Self.units()
        for (group, unit) in units {
            let zero = try Self.zero(in: unit)
            for (otherGroup, other) in units where group == otherGroup {
                let value = Double.random(in: 1...1_000, using: &generator)
                let back = try other.convert(unit.convert(value, to: other), to: unit)
                XCTAssertEqual(
                    back, value, accuracy: 1e-12 * (value + zero),
                    "\(value) \(unit) \(other), seed \(seed)")
            }
        }
    }

    func testConvert_byWayOfAThirdUnit_isTheSame() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for texts in Self.groups {
            for _ in 0..<100 {
                let units = try (0..<3).map { _ in
                    try Unit(parsing: texts.randomElement(using: &generator) ?? "")
                }
                let value = Double.random(in: 300...1_000, using: &generator)
                let direct = try units[0].convert(value, to: units[2])
                let way = try units[1].convert(
                    units[0].convert(value, to: units[1]), to: units[2])
                let zero = try Self.zero(in: units[2])
                XCTAssertEqual(
                    way, direct, accuracy: 1e-12 * (abs(direct) + zero), "\(units), seed \(seed)")
            }
        }
    }

    func testString_ofARandomUnit_parsesToTheSameUnit() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        var random = RandomUnit(generator: SeededGenerator(seed: seed))
        var parsed = 0
        for _ in 0..<5_000 {
            let text = random.text()
            switch Result(catching: { () throws(UnitParseError) in try Unit(parsing: text) }) {
            case .success(let unit):
                let again = try Unit(parsing: unit.string)
                XCTAssertEqual(again, unit, "\(text), seed \(seed)")
                XCTAssertEqual(again.string, unit.string, "\(text), seed \(seed)")
                XCTAssertEqual(again.hashValue, unit.hashValue, "\(text), seed \(seed)")
                XCTAssertEqual(try unit.convert(1.5, to: again), 1.5, "\(text), seed \(seed)")
                parsed += 1
            case .failure(let error):
                // It is a unit; only a limit can reject it.
                let isLimit = ["an exponent of at most", "at most", "a unit with fewer"].contains {
                    error.expected.hasPrefix($0)
                }
                XCTAssertTrue(isLimit, "\(text): \(error), seed \(seed)")
            }
        }
        XCTAssertGreaterThan(parsed, 3_000, "seed \(seed)")
    }

    func testParse_ofRandomBytes_neverTraps() {
        let seed = UInt64.random(in: 0..<1 << 32)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<20_000 {
            let count = Int.random(in: 0...(round.isMultiple(of: 50) ? 300 : 20), using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            check(String(decoding: bytes, as: UTF8.self), seed)
        }
    }

    func testParse_ofTruncationsAndChanges_neverTraps() {
        let seed = UInt64.random(in: 0..<1 << 32)
        var random = RandomUnit(generator: SeededGenerator(seed: seed))
        let texts = Self.groups.flatMap { $0 } + (0..<200).map { _ in random.text() }
        for text in texts {
            let bytes = Array(text.utf8)
            for count in 0..<bytes.count {
                check(String(decoding: bytes[..<count], as: UTF8.self), seed)
                check(String(decoding: bytes[count...], as: UTF8.self), seed)
                var changed = bytes
                changed[count] = UInt8.random(in: .min ... .max, using: &random.generator)
                check(String(decoding: changed, as: UTF8.self), seed)
            }
        }
    }

    /// Any text is a unit that reads back, or an error with an offset within the text.
    private func check(_ text: String, _ seed: UInt64) {
        switch Result(catching: { () throws(UnitParseError) in try Unit(parsing: text) }) {
        case .success(let unit):
            XCTAssertEqual(try Unit(parsing: unit.string), unit, "\(text), seed \(seed)")
        case .failure(let error):
            XCTAssertTrue((0...text.utf8.count).contains(error.offset), "\(text), seed \(seed)")
            guard let suggestion = error.suggestion else { return }
            XCTAssertEqual(
                try Unit(parsing: suggestion).string, suggestion, "\(text), seed \(seed)")
        }
    }
}

/// Makes texts that are units, except for their size.
private struct RandomUnit {
    var generator: SeededGenerator

    private static let fixed = [
        "in", "mi", "fl_oz_us", "mmHg", "min", "hr", "lb", "kcal", "degC", "degF", "deg", "count",
        "%", "IU", "pD", "dBASPL", "mol<18.5>", "kmol<180.15588000005408>",
    ]
    private static let prefixable = ["m", "L", "l", "Pa", "s", "g", "mol", "J", "W", "K", "rad"]
    private static let prefixes = ["", "f", "mc", "m", "d", "da", "k", "T"]

    mutating func text() -> String {
        let above = product(depth: 0)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return above
        case 1: return "1/" + product(depth: 0)
        default: return above + "/" + product(depth: 0)
        }
    }

    private mutating func product(depth: Int) -> String {
        let signs = [".", "*", "·"]
        var text = factor(depth: depth)
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            text += (signs.randomElement(using: &generator) ?? ".") + factor(depth: depth)
        }
        return text
    }

    private mutating func factor(depth: Int) -> String {
        let isGroup = depth < 3 && Int.random(in: 0..<5, using: &generator) == 0
        let base = isGroup ? "(\(product(depth: depth + 1)))" : symbol()
        guard Int.random(in: 0..<3, using: &generator) == 0 else { return base }
        return "\(base)^\(Int.random(in: -3...3, using: &generator))"
    }

    private mutating func symbol() -> String {
        if Bool.random(using: &generator) {
            return Self.fixed.randomElement(using: &generator) ?? ""
        }
        return (Self.prefixes.randomElement(using: &generator) ?? "")
            + (Self.prefixable.randomElement(using: &generator) ?? "")
    }
}
