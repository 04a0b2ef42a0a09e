import GatewayCore
import GatewayHost
import HealthModel
import JSON
import Platform

/// What a user wants to be known of a person.
struct PersonChange {
    /// The options that say it.
    static let options = [
        "--birth-date", "--sex", "--blood-type", "--skin-type", "--wheelchair-use", "--move-mode",
        "--maximum-heart-rate", "--zones", "--units",
    ]
    /// Stands for a value that is not known any more.
    static let none = "none"

    /// Something that is said, or unsaid.
    enum Wish<Value: Equatable>: Equatable {
        case leave
        case remove
        case set(Value)

        func applied(to old: Value?) -> Value? {
            switch self {
            case .leave: old
            case .remove: nil
            case .set(let value): value
            }
        }
    }

    let name: String
    private(set) var birthDate = Wish<CalendarDate>.leave
    private(set) var sex = Wish<BiologicalSex>.leave
    private(set) var bloodType = Wish<BloodType>.leave
    private(set) var skinType = Wish<FitzpatrickSkinType>.leave
    private(set) var wheelchairUse = Wish<WheelchairUse>.leave
    private(set) var moveMode = Wish<ActivityMoveMode>.leave
    private(set) var maximumHeartRate = Wish<Quantity>.leave
    private(set) var zones = Wish<ZoneSettings>.leave
    private(set) var units: [QuantityType: Wish<Unit>] = [:]
    private(set) var removesUnits = false

    /// Reads the options; nobody is born after today.
    init(
        name: String, _ arguments: ParsedArguments, types: QuantityTypes, today: CalendarDate
    ) throws(HostError) {
        self.name = name
        birthDate = try Self.wish("--birth-date", arguments) { text throws(HostError) in
            guard let date = CalendarDate(iso8601: text), date <= today else {
                throw HostError(
                    .usage, "--birth-date: expected a day that is past, such as 1986-02-14")
            }
            return date
        }
        sex = try Self.choice("--sex", arguments)
        bloodType = try Self.choice("--blood-type", arguments)
        skinType = try Self.choice("--skin-type", arguments)
        wheelchairUse = try Self.choice("--wheelchair-use", arguments)
        moveMode = try Self.choice("--move-mode", arguments)
        maximumHeartRate = try Self.wish("--maximum-heart-rate", arguments) {
            text throws(HostError) in
            guard let rate = Double(text), let quantity = try? Quantity(rate, .countPerMinute),
                QuantityType.heartRate.isPlausible(quantity)
            else {
                throw HostError(
                    .usage, "--maximum-heart-rate: expected beats a minute, such as 188")
            }
            return quantity
        }
        zones = try Self.wish("--zones", arguments, Self.zones)
        try readUnits(arguments, types)
    }

    private static func wish<Value>(
        _ option: String, _ arguments: ParsedArguments,
        _ read: (String) throws(HostError) -> Value
    ) throws(HostError) -> Wish<Value> {
        guard let text = arguments.value(of: option) else { return .leave }
        return text == none ? .remove : .set(try read(text))
    }

    /// Reads the name of a characteristic's value.
    private static func choice<Value: CharacteristicValue>(
        _ option: String, _ arguments: ParsedArguments
    ) throws(HostError) -> Wish<Value> {
        try wish(option, arguments) { text throws(HostError) in
            guard let value = Value(name: text) else {
                let known = Value.names + [none]
                throw HostError(
                    .usage,
                    "\(option): `\(LogFormat.escaped(text))` is unknown; "
                        + Suggestion.message(unknown: text, known: known))
            }
            return value
        }
    }

    /// Reads `50,60,70,80,90` or `reserve:50,60,70,80,90`, in percent.
    private static func zones(_ text: String) throws(HostError) -> ZoneSettings {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let basis = words.count == 1 ? .maximum : ZoneSettings.Basis(rawValue: String(words[0]))
        let percents = words[words.count - 1].split(
            separator: ",", omittingEmptySubsequences: false)
        let parts = percents.compactMap { Double($0) }.map { $0 / 100 }
        guard parts.count == percents.count, let basis,
            let zones = ZoneSettings(basis, parts: parts)
        else {
            throw HostError(
                .usage,
                "--zones: expected where they begin in percent of the maximum heart rate, as "
                    + "50,60,70,80,90, or of the reserve, as reserve:50,60,70,80,90")
        }
        return zones
    }

    private mutating func readUnits(
        _ arguments: ParsedArguments, _ types: QuantityTypes
    ) throws(HostError) {
        guard let text = arguments.value(of: "--units") else { return }
        guard text != Self.none else {
            removesUnits = true
            return
        }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard words.count == 2 else {
                throw HostError(
                    .usage, "--units: expected TYPE=UNIT pairs such as bodyMass=lb,height=in")
            }
            let type = try TypeArgument.type(
                String(words[0]), among: types, option: "--units")
            guard units[type] == nil else {
                throw HostError(.usage, "--units: \(type.name) stands twice")
            }
            units[type] =
                words[1] == Self.none
                ? .remove
                : .set(try TypeArgument.unit(String(words[1]), for: type, option: "--units"))
        }
    }

    /// The change without what the configuration says already.
    ///
    /// - Throws: Where the configuration says something else.
    func besideConfiguration(
        _ stated: Person?, in file: ConfigurationFile
    ) throws(HostError) -> PersonChange {
        guard let stated else { return self }
        var change = self
        let path = "people.\(name)"
        change.birthDate = try Self.open(
            birthDate, stated.birthDate, "\(path).birthDate", file)
        change.sex = try Self.open(sex, stated.sex, "\(path).sex", file)
        change.bloodType = try Self.open(
            bloodType, stated.bloodType, "\(path).bloodType", file)
        change.skinType = try Self.open(skinType, stated.skinType, "\(path).skinType", file)
        change.wheelchairUse = try Self.open(
            wheelchairUse, stated.wheelchairUse, "\(path).wheelchairUse", file)
        change.moveMode = try Self.open(moveMode, stated.moveMode, "\(path).moveMode", file)
        change.maximumHeartRate = try Self.open(
            maximumHeartRate, stated.maximumHeartRate, "\(path).maximumHeartRate", file)
        change.zones = try Self.open(zones, stated.zones, "\(path).zones", file)
        for (type, wish) in units {
            change.units[type] = try Self.open(
                wish, stated.preferredUnits[type], "\(path).units.\(type.name)", file)
        }
        return change
    }

    private static func open<Value>(
        _ wish: Wish<Value>, _ stated: Value?, _ path: String, _ file: ConfigurationFile
    ) throws(HostError) -> Wish<Value> {
        guard let stated, wish != .leave else { return wish }
        guard wish == .set(stated) else {
            throw HostError(
                .failure,
                "the configuration wins: \(path) in \(file.place) says something else; change it there"
            )
        }
        return .leave
    }

    /// The person with what is wanted.
    func applied(to old: Person?) throws(HostError) -> Person {
        var preferred = removesUnits ? [:] : old?.preferredUnits ?? [:]
        for (type, wish) in units { preferred[type] = wish.applied(to: preferred[type]) }
        do {
            return try Person(
                name: name, birthDate: birthDate.applied(to: old?.birthDate),
                sex: sex.applied(to: old?.sex),
                bloodType: bloodType.applied(to: old?.bloodType),
                skinType: skinType.applied(to: old?.skinType),
                wheelchairUse: wheelchairUse.applied(to: old?.wheelchairUse),
                moveMode: moveMode.applied(to: old?.moveMode),
                maximumHeartRate: maximumHeartRate.applied(to: old?.maximumHeartRate),
                zones: zones.applied(to: old?.zones),
                preferredUnits: preferred)
        } catch {
            throw HostError(.usage, "\(error)")
        }
    }
}
