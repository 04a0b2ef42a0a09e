package import HealthModel
package import JSON

/// What the data directory keeps of people, beside what the configuration says of them:
/// `"ada":{"birthDate":"1986-02-14","sex":"female"}`.
package typealias PersistedPeople = PersistedEntries<Person>

extension PersistedPeople {
    /// The people, in the order of their names.
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
    /// The same people, with what the data directory keeps where the configuration says nothing.
    package func adding(_ kept: PersistedPeople) -> People {
        var people = self
        for person in kept.people { people.complete(person) }
        return people
    }

    /// The person of this name, with what is known; nil when there is none.
    package func person(named name: String) -> Person? {
        people.first { $0.name == name }
            ?? names.first { $0 == name }.flatMap { try? Person(name: $0) }
    }
}

extension Person {
    /// What is said of the same person elsewhere, where nothing is said here.
    package func completed(with other: Person) -> Person {
        let completed = try? Person(
            name: name, birthDate: birthDate ?? other.birthDate, sex: sex ?? other.sex,
            bloodType: bloodType ?? other.bloodType, skinType: skinType ?? other.skinType,
            wheelchairUse: wheelchairUse ?? other.wheelchairUse,
            moveMode: moveMode ?? other.moveMode,
            maximumHeartRate: maximumHeartRate ?? other.maximumHeartRate,
            zones: zones ?? other.zones,
            preferredUnits: preferredUnits.merging(other.preferredUnits) { mine, _ in mine })
        // Both were checked when they were made, so what is of both is right as well.
        return completed ?? self
    }
}
