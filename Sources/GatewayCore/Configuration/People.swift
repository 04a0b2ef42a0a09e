public import HealthModel
package import JSON

/// The people in the configuration, and the devices that they wear.
public struct People: Sendable {
    /// The default person if the configuration has no people.
    public static let defaultPerson = "me"

    /// The settings of one device.
    public struct Binding: Sendable, Hashable {
        /// The device's local identifier, as written: an address or the path of a port.
        public let device: String
        /// The person who wears it.
        public let person: String?
        /// The configured name.
        public let name: String?
        /// The configured role; nil if not set.
        package let configuredRole: Role?

        /// Its role; ``Role/primary`` by default.
        public var role: Role { configuredRole ?? .primary }

        package init(device: String, person: String?, name: String?, configuredRole: Role?) {
            self.device = device
            self.person = person
            self.name = name
            self.configuredRole = configuredRole
        }
    }

    /// The priority of a device among those that measure the same type.
    public enum Role: String, CaseIterable, Sendable {
        /// Its samples count.
        case primary
        /// Its samples count where the primary device has none.
        case backup
    }

    /// The people with settings, sorted by name.
    public private(set) var people: [Person] = []
    /// Whether the configuration has no people, so that ``defaultPerson`` exists.
    private var hasNoConfiguredPeople = true
    private var bindings: [String: Binding] = [:]

    /// The person whom commands use where none is given; nil when none is set.
    ///
    /// The configuration may have lost this person since.
    package var defaultName: String?

    /// Makes one person, ``defaultPerson``, who wears all devices.
    public init() {}

    init(
        people: ConfigurationNode?, devices: ConfigurationNode?
    ) throws(ConfigurationError) {
        for (name, node) in try people?.entries() ?? [] {
            hasNoConfiguredPeople = false
            self.people.append(try PersonReader.person(named: name, node))
        }
        for (identifier, node) in try devices?.entries() ?? [] {
            if let other = binding(of: identifier) {
                throw node.error("is the same device as `\(other.device)`; remove one entry")
            }
            bindings[Self.key(identifier)] = try binding(of: identifier, node)
        }
    }

    /// Returns the person who wears the device with this local identifier; nil if unknown.
    ///
    /// If the configuration has no people, devices without a person belong to ``defaultPerson``.
    public func person(wearing device: String) -> String? {
        bindings[Self.key(device)]?.person ?? (hasNoConfiguredPeople ? Self.defaultPerson : nil)
    }

    /// Returns the settings of a device.
    public func binding(of device: String) -> Binding? {
        bindings[Self.key(device)]
    }

    /// The names of the people who may wear a device.
    package var names: [String] {
        let known = people.map(\.name)
        return hasNoConfiguredPeople && !known.contains(Self.defaultPerson)
            ? (known + [Self.defaultPerson]).sorted() : known
    }

    /// Whether this is the name of the person who exists without an entry.
    package func isDefault(_ name: String) -> Bool {
        hasNoConfiguredPeople && name == Self.defaultPerson
    }

    /// The devices with settings, as written.
    package var boundDevices: [String] { bindings.values.map(\.device).sorted() }

    /// Adds settings of a device where none are set.
    package mutating func complete(_ new: Binding) {
        let old = binding(of: new.device)
        bindings[Self.key(new.device)] = Binding(
            device: old?.device ?? new.device, person: old?.person ?? new.person,
            name: old?.name ?? new.name, configuredRole: old?.configuredRole ?? new.configuredRole)
    }

    /// Adds properties of a person where none are set.
    package mutating func complete(_ person: Person) {
        if let index = people.firstIndex(where: { $0.name == person.name }) {
            people[index] = people[index].completed(with: person)
        } else {
            people.append(person)
            people.sort { $0.name < $1.name }
        }
    }

    /// Returns the key of a device: radio addresses are case-insensitive.
    private static func key(_ identifier: String) -> String {
        identifier.hasPrefix("/") ? identifier : identifier.uppercased()
    }

    /// The keys of a device.
    package static let deviceSettings = [
        PluginDescription.Setting(
            "person", "person who wears the device", default: "the only person"),
        PluginDescription.Setting(
            "name", "name of the device", default: "as reported by the device"),
        PluginDescription.Setting(
            "role", "priority among devices that measure the same type",
            kind: .words(Role.allCases.map(\.rawValue)), default: "between `primary` and `backup`"),
    ]

    private func binding(
        of identifier: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Binding {
        let isForeign = DeviceIdentifier.isForeignKey(identifier) && node.value != .object([:])
        guard DeviceIdentifier.isKey(identifier) || isForeign else {
            throw node.error("expected \(DeviceIdentifier.keyExamples)")
        }
        let object = try node.object(keys: Self.deviceSettings.map(\.name))
        // A sensor with an address is read like an adopted one; a port also needs a protocol.
        guard BluetoothAddress(identifier) != nil || node.value != .object([:]) else {
            throw node.error("sets nothing; give `person`, `name` or `role`, or remove it")
        }
        let role = try object["role"]?.choice(of: Role.allCases.map(\.rawValue))
        return Binding(
            device: identifier, person: try object["person"]?.person(of: names),
            name: try object["name"]?.string(), configuredRole: role.flatMap(Role.init))
    }
}

/// The reader and writer of a person in the configuration.
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
            "zones", "heart-rate zones: { of, parts }", kind: .object, default: "five zones",
            keys: zoneSettings),
        PluginDescription.Setting(
            "wall", "whether a shared screen may show the person", kind: .boolean,
            default: "false"),
        PluginDescription.Setting(
            "units", "preferred units by type: { bodyMass: \"lb\" }", kind: .object,
            default: "display units of the types"),
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
            "basis of the parts: the maximum heart rate, or the heart-rate reserve",
            kind: .words(ZoneSettings.Basis.allCases.map(\.rawValue)), default: "maximum"),
        PluginDescription.Setting(
            "parts", "lower bound of each zone, ascending", kind: .numbers,
            default: "[0.5, 0.6, 0.7, 0.8, 0.9]"),
    ]

    /// Reads the value of a person's key.
    ///
    /// - Parameter skipsUnknownTypes: Whether units of unknown types are ignored, such as types
    ///   that are no longer declared.
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
                wall: try object["wall"].map { node throws(ConfigurationError) in
                    try node.boolean()
                },
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
        else { throw value.error("is out of range for heartRate") }
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
                "expected \(ZoneSettings.minimumBoundaryCount) to "
                    + "\(ZoneSettings.maximumBoundaryCount) parts from 0 to "
                    + "\(ZoneSettings.maximumPart), ascending, such as [0.5, 0.6, 0.7, 0.8, 0.9]")
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

    /// Reads a unit that is compatible with a type.
    private static func unit(
        _ node: ConfigurationNode, for type: QuantityType
    ) throws(ConfigurationError) -> Unit {
        let text = try node.string()
        let unit: Unit
        do { unit = try Unit(parsing: text) } catch { throw node.error("\(error)") }
        guard unit.isCompatible(with: type.canonicalUnit) else {
            throw node.error(
                "`\(text)` is not a unit of \(type.name); use `\(type.displayUnit.string)`")
        }
        return unit
    }

    /// Returns the value of a person's key.
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
        object["wall"] = person.wall.map { .boolean($0) }
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
