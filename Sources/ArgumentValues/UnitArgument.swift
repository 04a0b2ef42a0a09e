package import GatewayHost
package import HealthModel
import JSON

/// A unit on the command line: a HealthKit unit string, or a word with one meaning for the type.
package enum UnitArgument {
    /// Words that are several units, in small letters: a cup is a US or an imperial one, a calorie
    /// of food a thousand of physics, `gr` a grain or a gram, and 97 percent 0.97 in HealthKit.
    private static let ambiguousWords: Set<Substring> = [
        "calorie", "calories", "cup", "cups", "floz", "fl_oz", "gr", "pct", "percent",
    ]

    /// What a person means with a unit that does not fit the type; the first that fits it.
    private static let meanings = [
        "C": ["degC"], "count": ["count/min"], "km": ["km/hr"], "m": ["min", "m/s"],
        "mi": ["mi/hr"], "min": ["count/min"], "mmol/L": ["mmol<180.1558800000541>/L"],
        "oz": ["fl_oz_us"],
    ]

    /// Units that are suggested for a misspelled one.
    private static let common = [
        "count", "count/min", "count/s", "%", "degC", "degF", "s", "ms", "min", "hr", "d", "kg",
        "g", "mg", "mcg", "lb", "oz", "st", "m", "km", "cm", "mi", "ft", "in", "yd", "m/s",
        "km/hr", "mi/hr", "kcal", "kJ", "W", "L", "mL", "fl_oz_us", "cup_us", "mmHg", "mg/dL",
        "mmol<180.1558800000541>/L", "mL/min·kg", "kcal/hr·kg", "dBASPL", "IU",
    ]

    /// Parses a unit that is compatible with a type: `count/min`, or `bpm` for a heart rate.
    ///
    /// A word that could be another unit is an error that names the unit, as is a unit of something
    /// else.
    package static func unit(
        _ text: String, for type: QuantityType, option: String
    ) throws(HostError) -> Unit {
        let unit: Unit
        do throws(UnitParseError) {
            unit = try Unit(parsing: text)
        } catch {
            return try meant(by: text, error, for: type, option)
        }
        guard unit.isCompatible(with: type.canonicalUnit) else {
            throw wrongUnit(text, unit.string, for: type, option)
        }
        return unit
    }

    /// The unit that a text in another spelling means.
    private static func meant(
        by text: String, _ error: UnitParseError, for type: QuantityType, _ option: String
    ) throws(HostError) -> Unit {
        guard let suggestion = error.suggestion, let unit = try? Unit(parsing: suggestion),
            unit.isCompatible(with: type.canonicalUnit)
        else { throw wrongUnit(text, error.suggestion ?? text, for: type, option) }
        // A unit has one division; elsewhere `ml/kg/min` is written in several ways.
        guard text.count(where: { $0 == "/" }) < 2 else {
            throw HostError(.usage, "\(option): `\(text)` is \(error)")
        }
        let words = text.lowercased().split { "/·*.()^".contains($0) }
        guard ambiguousWords.isDisjoint(with: words) else {
            throw HostError(
                .usage,
                "\(option): `\(text)` has several meanings; did you mean `\(unit.string)`?")
        }
        return unit
    }

    /// The error of a text that is no unit of the type.
    ///
    /// - Parameter unit: The text in HealthKit's spelling, if it is another unit.
    private static func wrongUnit(
        _ text: String, _ unit: String, for type: QuantityType, _ option: String
    ) -> HostError {
        func isOfType(_ text: String) -> Bool {
            (try? Unit(parsing: text))?.isCompatible(with: type.canonicalUnit) ?? false
        }
        let nearest =
            meanings[unit]?.first(where: isOfType)
            ?? Suggestion.nearest(to: text, in: common.filter(isOfType))
        let advice =
            nearest.map { "did you mean `\($0)`?" }
            ?? "expected a unit such as `\(type.displayUnit.string)`"
        return HostError(.usage, "\(option): `\(text)` is not a unit of \(type.name); \(advice)")
    }
}
