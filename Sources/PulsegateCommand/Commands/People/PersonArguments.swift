import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform

/// Reads the options of `pulsegate people set` as a request to change a person's facts.
struct PersonArguments {
    /// The keys of the facts by option.
    static let keys = [
        "--birth-date": "birthDate", "--sex": "sex", "--blood-type": "bloodType",
        "--skin-type": "skinType", "--wheelchair-use": "wheelchairUse",
        "--move-mode": "moveMode", "--maximum-heart-rate": "maximumHeartRate",
        "--zones": "zones", "--wall": "wall", "--units": "units",
    ]
    /// The value of an option that removes the fact.
    static let none = "none"

    /// The key that each argument of the command sets, for error messages; the operand has no option.
    static var names: [String: String] {
        var names = [PersonChange.nameKey: ""]
        for (option, key) in keys { names[key] = option }
        return names
    }

    private let arguments: ParsedArguments
    private let types: QuantityTypes
    private var facts: [String: JSONValue] = [:]

    /// The request: an object with the person's name and the given facts.
    private(set) var request: JSONValue = .null

    /// Reads the options for the person of this name.
    init(
        name: String, _ arguments: ParsedArguments, types: QuantityTypes
    ) throws(HostError) {
        self.arguments = arguments
        self.types = types
        try read("--birth-date") { text throws(HostError) in .string(text) }
        try read("--sex", BiologicalSex.self)
        try read("--blood-type", BloodType.self)
        try read("--skin-type", FitzpatrickSkinType.self)
        try read("--wheelchair-use", WheelchairUse.self)
        try read("--move-mode", ActivityMoveMode.self)
        try read("--maximum-heart-rate", Self.heartRate)
        try read("--zones", Self.zones)
        try read("--wall", Self.wall)
        try read("--units") { text throws(HostError) in try Self.units(text, types) }
        facts[PersonChange.nameKey] = .string(name)
        request = .object(facts)
    }

    private mutating func read(
        _ option: String, _ value: (String) throws(HostError) -> JSONValue
    ) throws(HostError) {
        guard let text = arguments.value(of: option), let key = Self.keys[option] else { return }
        facts[key] = text == Self.none ? .null : try value(text)
    }

    private mutating func read<Value: CharacteristicValue>(
        _ option: String, _ type: Value.Type
    ) throws(HostError) {
        try read(option) { text throws(HostError) in
            guard let value = Value(name: text) else {
                let known = Value.names + [Self.none]
                throw HostError(
                    .usage,
                    "\(option): unknown value `\(LogFormat.escaped(text))`; "
                        + Suggestion.message(unknown: text, known: known))
            }
            return .string(value.name)
        }
    }

    private static func heartRate(_ text: String) throws(HostError) -> JSONValue {
        guard let rate = Double(text), let quantity = try? Quantity(rate, .countPerMinute),
            QuantityType.heartRate.isPlausible(quantity)
        else {
            throw HostError(
                .usage, "--maximum-heart-rate: expected beats per minute such as 188")
        }
        return .object([
            "value": .number(rate), "unit": .string(Unit.countPerMinute.string),
        ])
    }

    /// Reads `50,60,70,80,90` or `reserve:50,60,70,80,90`, in percent.
    private static func zones(_ text: String) throws(HostError) -> JSONValue {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let basis = words.count == 1 ? .maximum : ZoneSettings.Basis(rawValue: String(words[0]))
        let percents = words[words.count - 1].split(
            separator: ",", omittingEmptySubsequences: false)
        let parts = percents.compactMap { Double($0) }.map { $0 / 100 }
        guard parts.count == percents.count, let basis, ZoneSettings(basis, parts: parts) != nil
        else {
            throw HostError(
                .usage,
                "--zones: expected \(ZoneSettings.minimumBoundaryCount) to "
                    + "\(ZoneSettings.maximumBoundaryCount) ascending lower bounds in percent of "
                    + "the maximum heart rate, such as 50,60,70,80,90, or of the reserve, such as "
                    + "reserve:50,60,70,80,90")
        }
        return .object([
            "of": .string(basis.rawValue), "parts": .array(parts.map(JSONValue.number)),
        ])
    }

    private static func wall(_ text: String) throws(HostError) -> JSONValue {
        guard let isShown = ["true": true, "false": false][text] else {
            throw HostError(.usage, "--wall: expected true, false or none")
        }
        return .boolean(isShown)
    }

    /// Reads `bodyMass=lb,height=none`.
    private static func units(
        _ text: String, _ types: QuantityTypes
    ) throws(HostError) -> JSONValue {
        var units: [String: JSONValue] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else {
                throw HostError(
                    .usage, "--units: expected TYPE=UNIT pairs such as bodyMass=lb,height=in")
            }
            let type = try TypeArgument.type(String(words[0]), among: types, option: "--units")
            guard units[type.name] == nil else {
                throw HostError(.usage, "--units: \(type.name) is given twice")
            }
            units[type.name] =
                words[1] == none
                ? .null
                : .string(
                    try UnitArgument.unit(String(words[1]), for: type, option: "--units").string)
        }
        return .object(units)
    }
}
