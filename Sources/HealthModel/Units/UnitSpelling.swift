/// Common spellings of units that HealthKit spells in another way, such as `bpm`.
///
/// They are suggested by the error of a unit. The command line accepts those with one meaning.
enum UnitSpelling {
    private static let spellings: [(unit: String, others: [String])] = [
        ("count/min", ["bpm", "rpm", "spm", "brpm"]),
        (
            "count",
            [
                "counts", "step", "steps", "beat", "beats", "breath", "breaths", "times", "floors",
                "flights", "strokes",
            ]
        ),
        ("%", ["percent", "pct"]),
        ("degC", ["c", "°c", "℃", "celsius"]),
        ("degF", ["f", "°f", "℉", "fahrenheit"]),
        ("s", ["sec", "secs", "second", "seconds"]),
        ("ms", ["msec", "msecs", "millisecond", "milliseconds"]),
        ("min", ["mins", "minute", "minutes"]),
        ("hr", ["h", "hrs", "hour", "hours"]),
        ("d", ["day", "days"]),
        ("kg", ["kgs", "kilo", "kilos", "kilogram", "kilograms"]),
        ("g", ["gram", "grams", "gr"]),
        ("mcg", ["ug", "µg", "μg"]),
        ("lb", ["lbs", "pound", "pounds"]),
        ("oz", ["ounce", "ounces"]),
        ("st", ["stone", "stones"]),
        ("m", ["meter", "meters", "metre", "metres"]),
        ("km", ["kms", "kilometer", "kilometers", "kilometre", "kilometres"]),
        ("cm", ["centimeter", "centimeters", "centimetre", "centimetres"]),
        ("mi", ["mile", "miles"]),
        ("ft", ["foot", "feet"]),
        ("in", ["inch", "inches"]),
        ("mi/hr", ["mph"]),
        ("km/hr", ["kph", "kmh"]),
        ("kcal", ["kcals", "calorie", "calories", "kilocalorie", "kilocalories"]),
        ("kJ", ["kjs", "kilojoule", "kilojoules"]),
        ("mmHg", ["mmhg"]),
        ("W", ["watt", "watts"]),
        // Without a division, so that it can be a part of another unit: N*m.
        ("kg·m·s^-2", ["n", "newton", "newtons"]),
        ("L", ["liter", "liters", "litre", "litres"]),
        ("fl_oz_us", ["floz", "fl_oz"]),
        ("cup_us", ["cup", "cups"]),
    ]

    private static let operators = Set("/·*.()^".unicodeScalars)

    private static let byName = Dictionary(
        uniqueKeysWithValues: spellings.flatMap { spelling in
            spelling.others.map { ($0, spelling.unit) }
        })

    /// The unit that a text means, part by part: `km/h` is `km/hr`; nil when that is not a unit.
    static func unit(meantBy text: String) -> String? {
        guard text.utf8.count <= Unit.maximumTextLength else { return nil }
        var meant = ""
        var name = ""
        for scalar in text.unicodeScalars {
            guard operators.contains(scalar) else {
                name.unicodeScalars.append(scalar)
                continue
            }
            meant += spelled(name)
            meant.unicodeScalars.append(scalar)
            name = ""
        }
        meant += spelled(name)
        guard meant != text, isUnit(meant) else { return nil }
        return (try? Unit(parsing: meant))?.string
    }

    private static func spelled(_ name: String) -> String {
        let small = name.lowercased()
        return [name, byName[small] ?? small].first(where: isUnit) ?? name
    }

    private static func isUnit(_ text: String) -> Bool {
        var parser = UnitParser(text)
        return (try? parser.parse()) != nil
    }
}
