package import GatewayCore
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
    package static let hasDefault = true

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
        people.defaultName = persisted.defaultKey
        return people
    }
}
