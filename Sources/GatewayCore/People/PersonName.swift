package import HealthModel
public import JSON

extension People {
    /// Returns the person with this name; nil if there is none.
    package func person(named name: String) -> Person? {
        people.first { $0.name == name }
            ?? names.first { $0 == name }.flatMap { try? Person(name: $0) }
    }

    /// The message about a name that no person has: the nearest known name, or all known names.
    ///
    /// Without known names it has none, for a reader who must not see them.
    package static func unknown(_ name: String, known: [String]) -> String {
        guard !known.isEmpty else { return "unknown person `\(name)`" }
        return "unknown person `\(name)`; \(Suggestion.message(unknown: name, known: known))"
    }
}

extension ConfigurationNode {
    /// The value as the name of a person, in the known spelling.
    ///
    /// - Parameter namesKnown: Whether an error has the known names.
    package func person(
        of known: [String], namesKnown: Bool = true
    ) throws(ConfigurationError) -> String {
        let name = try string()
        // Equal strings can have different bytes.
        guard let person = known.first(where: { $0 == name }) else {
            throw error(People.unknown(name, known: namesKnown ? known : []))
        }
        return person
    }
}

extension ComponentContext {
    /// Reads a setting that is the name of a person of the gateway.
    ///
    /// Where the people are not known, as in a test, any name of a person is one.
    ///
    /// - Throws: ``ConfigurationError`` with the nearest name.
    public func person(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        if let people { return try node.person(of: people) }
        let name = try node.string()
        guard Person.isValidName(name) else { throw node.error("is not the name of a person") }
        return name
    }
}

extension Person {
    /// Returns this person with missing properties filled from `other`.
    package func completed(with other: Person) -> Person {
        let completed = try? Person(
            name: name, birthDate: birthDate ?? other.birthDate, sex: sex ?? other.sex,
            bloodType: bloodType ?? other.bloodType, skinType: skinType ?? other.skinType,
            wheelchairUse: wheelchairUse ?? other.wheelchairUse,
            moveMode: moveMode ?? other.moveMode,
            maximumHeartRate: maximumHeartRate ?? other.maximumHeartRate,
            zones: zones ?? other.zones, wall: wall ?? other.wall,
            preferredUnits: preferredUnits.merging(other.preferredUnits) { mine, _ in mine })
        // Both are valid, so the combination is valid too.
        return completed ?? self
    }
}
