package import HealthModel
package import JSON

/// The people stored in the data directory, in addition to those of the configuration:
/// `"ada":{"birthDate":"1986-02-14","sex":"female"}`.
package typealias PersistedPeople = PersistedEntries<Person>

extension PersistedPeople {
    /// The people, sorted by name.
    package var people: [Person] { entries }
}

extension Person: PersistedEntry {
    package static let words = (one: "person", several: "people")

    package var persistedKey: String { name }
    package var persistedValue: JSONValue { PersonReader.value(of: self) }

    package static func read(
        _ key: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Person {
        try PersonReader.person(named: key, node, skipsUnknownTypes: true)
    }
}

extension People {
    /// Returns these people, completed with those of the data directory.
    package func adding(_ persisted: PersistedPeople) -> People {
        var people = self
        for person in persisted.people { people.complete(person) }
        return people
    }

    /// Returns the person with this name; nil if there is none.
    package func person(named name: String) -> Person? {
        people.first { $0.name == name }
            ?? names.first { $0 == name }.flatMap { try? Person(name: $0) }
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
            zones: zones ?? other.zones,
            preferredUnits: preferredUnits.merging(other.preferredUnits) { mine, _ in mine })
        // Both are valid, so the combination is valid too.
        return completed ?? self
    }
}
