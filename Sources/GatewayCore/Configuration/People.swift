public import HealthModel
package import JSON

/// The people of the configuration, and the devices that they wear.
public struct People: Sendable {
    /// The one person when the configuration names nobody.
    public static let onlyPerson = "me"

    /// What the configuration says about one device.
    public struct Binding: Sendable, Hashable {
        /// The device's local identifier, as it was written: an address or the path of a port.
        public let device: String
        /// Who wears it.
        public let person: String?
        /// What the user calls it.
        public let name: String?
        /// Which of several devices for the same thing it is, where that is said.
        package let statedRole: Role?

        /// Which of several devices for the same thing it is; the first one when nothing is said.
        public var role: Role { statedRole ?? .primary }
    }

    /// Which of several devices that measure the same thing is preferred.
    public enum Role: String, CaseIterable, Sendable {
        /// Its samples count.
        case primary
        /// Its samples count where the primary device has none.
        case backup
    }

    /// The people of whom something is said, in alphabetical order.
    public private(set) var people: [Person] = []
    /// Whether the configuration names nobody: then there is ``onlyPerson`` in any case.
    private var namesNobody = true
    private var bindings: [String: Binding] = [:]

    /// One person, ``onlyPerson``, who wears everything.
    public init() {}

    init(
        people: ConfigurationNode?, devices: ConfigurationNode?
    ) throws(ConfigurationError) {
        for (name, node) in try people?.entries() ?? [] {
            namesNobody = false
            self.people.append(try PersonReader.person(named: name, node))
        }
        for (identifier, node) in try devices?.entries() ?? [] {
            bindings[Self.key(identifier)] = try binding(of: identifier, node)
        }
    }

    /// Who wears the device with this local identifier, as far as is known.
    ///
    /// Where the configuration names nobody, what is bound to nobody is that of ``onlyPerson``.
    public func person(wearing device: String) -> String? {
        bindings[Self.key(device)]?.person ?? (namesNobody ? Self.onlyPerson : nil)
    }

    /// What the configuration says about a device.
    public func binding(of device: String) -> Binding? {
        bindings[Self.key(device)]
    }

    /// The names that a device may be bound to.
    package var names: [String] {
        let known = people.map(\.name)
        return namesNobody && !known.contains(Self.onlyPerson)
            ? (known + [Self.onlyPerson]).sorted() : known
    }

    /// The devices of which anything is said, as they were written.
    package var boundDevices: [String] { bindings.values.map(\.device).sorted() }

    /// Adds what is said of a device where nothing was said before.
    mutating func complete(_ new: Binding) {
        let old = binding(of: new.device)
        bindings[Self.key(new.device)] = Binding(
            device: old?.device ?? new.device, person: old?.person ?? new.person,
            name: old?.name ?? new.name, statedRole: old?.statedRole ?? new.statedRole)
    }

    /// Adds what is said of a person where nothing was said before.
    mutating func complete(_ person: Person) {
        if let index = people.firstIndex(where: { $0.name == person.name }) {
            people[index] = people[index].completed(with: person)
        } else {
            people.append(person)
            people.sort { $0.name < $1.name }
        }
    }

    /// Radio addresses are written in either case.
    private static func key(_ identifier: String) -> String {
        identifier.hasPrefix("/") ? identifier : identifier.uppercased()
    }

    /// The keys of a device.
    package static let deviceSettings = [
        PluginDescription.Setting(
            "person", "who wears it", default: "the only person there is"),
        PluginDescription.Setting("name", "its name", default: "what it reports"),
        PluginDescription.Setting(
            "role", "which device counts where several measure the same",
            kind: .words(Role.allCases.map(\.rawValue)), default: "between the two"),
    ]

    private func binding(
        of identifier: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Binding {
        let object = try node.object(keys: Self.deviceSettings.map(\.name))
        let role = try object["role"]?.choice(of: Role.allCases.map(\.rawValue))
        return Binding(
            device: identifier, person: try object["person"]?.choice(of: names),
            name: try object["name"]?.string(), statedRole: role.flatMap(Role.init))
    }
}

/// Reads one person of the configuration.
package enum PersonReader {
    /// The keys of a person.
    package static let settings = [
        PluginDescription.Setting("birthDate", "a date: 1986-02-14", default: "unknown"),
        characteristic("sex", BiologicalSex.self),
        characteristic("bloodType", BloodType.self),
        characteristic("skinType", FitzpatrickSkinType.self),
        characteristic("wheelchairUse", WheelchairUse.self),
        characteristic("moveMode", ActivityMoveMode.self),
        PluginDescription.Setting(
            "maximumHeartRate", "{ value: 188, unit: \"count/min\" }", kind: .object,
            default: "208 - 0.7 × age"),
        PluginDescription.Setting(
            "zones", "heart-rate zones: { of, parts }", kind: .object, default: "five zones"),
        PluginDescription.Setting(
            "units", "preferred units by type: { bodyMass: \"lb\" }", kind: .object,
            default: "those of the types"),
    ]

    private static func characteristic<Value: CharacteristicValue>(
        _ name: String, _ type: Value.Type
    ) -> PluginDescription.Setting {
        PluginDescription.Setting(
            name, "a characteristic", kind: .words(Value.names), default: "unknown")
    }

    /// The keys of `zones`.
    package static let zoneSettings = [
        PluginDescription.Setting(
            "of",
            "what the parts are of: the maximum heart rate, or the reserve above the resting one",
            kind: .words(ZoneSettings.Basis.allCases.map(\.rawValue)), default: "maximum"),
        PluginDescription.Setting(
            "parts", "the lower bound of each zone, ascending", kind: .object,
            default: "[0.5, 0.6, 0.7, 0.8, 0.9]"),
    ]

    /// Reads what stands under a person's name.
    ///
    /// - Parameter skipsUnknownTypes: Whether the unit of a type that is not there is no mistake: one that a
    ///   configuration declared before.
    package static func person(
        named name: String, _ node: ConfigurationNode, skipsUnknownTypes: Bool = false
    ) throws(ConfigurationError) -> Person {
        let object = try node.object(keys: settings.map(\.name))
        do {
            return try Person(
                name: name, birthDate: try object["birthDate"].map(date),
                sex: try characteristic(object["sex"]),
                bloodType: try characteristic(object["bloodType"]),
                skinType: try characteristic(object["skinType"]),
                wheelchairUse: try characteristic(object["wheelchairUse"]),
                moveMode: try characteristic(object["moveMode"]),
                maximumHeartRate: try object["maximumHeartRate"].map(heartRate),
                zones: try object["zones"].map(zones),
                preferredUnits: try object["units"].map { node throws(ConfigurationError) in
                    try units(node, skipsUnknownTypes: skipsUnknownTypes)
                } ?? [:])
        } catch let error as ConfigurationError {
            throw error
        } catch {
            throw node.error("\(error)")
        }
    }

    private static func date(_ node: ConfigurationNode) throws(ConfigurationError) -> CalendarDate {
        guard let date = CalendarDate(iso8601: try node.string()) else {
            throw node.error("expected a date such as 1986-02-14")
        }
        return date
    }

    private static func characteristic<Value: CharacteristicValue>(
        _ node: ConfigurationNode?
    ) throws(ConfigurationError) -> Value? {
        guard let node else { return nil }
        return Value(name: try node.choice(of: Value.names))
    }

    private static func heartRate(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Quantity {
        let object = try node.object(keys: ["value", "unit"])
        let unit = try unit(try object.require("unit"), for: .heartRate)
        let value = try object.require("value")
        guard let quantity = try? Quantity(try value.number(), unit),
            let rate = try? quantity.value(in: .countPerMinute),
            QuantityType.heartRate.plausibleRange?.contains(rate) ?? true
        else { throw value.error("is no heart rate") }
        return quantity
    }

    private static func zones(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> ZoneSettings {
        let object = try node.object(keys: zoneSettings.map(\.name))
        let word = try object["of"]?.choice(of: ZoneSettings.Basis.allCases.map(\.rawValue))
        let basis = word.flatMap(ZoneSettings.Basis.init) ?? .maximum
        guard let list = object["parts"] else {
            return ZoneSettings(basis, parts: ZoneSettings.standard.parts) ?? .standard
        }
        var parts: [Double] = []
        for part in try list.array() { parts.append(try part.number()) }
        guard let zones = ZoneSettings(basis, parts: parts) else {
            throw list.error(
                "expected 1 to \(ZoneSettings.maximumBoundaryCount) parts from 0 to "
                    + "\(ZoneSettings.maximumPart), ascending, as [0.5, 0.6, 0.7, 0.8, 0.9]")
        }
        return zones
    }

    private static func units(
        _ node: ConfigurationNode, skipsUnknownTypes: Bool
    ) throws(ConfigurationError) -> [QuantityType: Unit] {
        var units: [QuantityType: Unit] = [:]
        for (name, entry) in try node.entries() {
            if skipsUnknownTypes, node.types.named(name) == nil { continue }
            let type = try entry.quantityType(named: name)
            units[type] = try unit(entry, for: type)
        }
        return units
    }

    /// A unit string that fits the type.
    private static func unit(
        _ node: ConfigurationNode, for type: QuantityType
    ) throws(ConfigurationError) -> Unit {
        let text = try node.string()
        let unit: Unit
        do { unit = try Unit(parsing: text) } catch { throw node.error("\(error)") }
        guard unit.isCompatible(with: type.canonicalUnit) else {
            throw node.error(
                "`\(text)` does not measure \(type.name); `\(type.displayUnit.string)` does")
        }
        return unit
    }

    /// What stands under a person's name.
    package static func value(of person: Person) -> JSONValue {
        var object: [String: JSONValue] = [:]
        object["birthDate"] = person.birthDate.map { .string($0.description) }
        object["sex"] = person.sex.map { .string($0.name) }
        object["bloodType"] = person.bloodType.map { .string($0.name) }
        object["skinType"] = person.skinType.map { .string($0.name) }
        object["wheelchairUse"] = person.wheelchairUse.map { .string($0.name) }
        object["moveMode"] = person.moveMode.map { .string($0.name) }
        object["maximumHeartRate"] = person.maximumHeartRate.map {
            .object(["value": .number($0.value), "unit": .string($0.unit.string)])
        }
        object["zones"] = person.zones.map {
            .object([
                "of": .string($0.basis.rawValue), "parts": .array($0.parts.map { .number($0) }),
            ])
        }
        if !person.preferredUnits.isEmpty {
            object["units"] = .object(
                Dictionary(
                    uniqueKeysWithValues: person.preferredUnits.map {
                        ($0.key.name, .string($0.value.string))
                    }))
        }
        return .object(object)
    }
}
