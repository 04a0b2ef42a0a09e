package import HealthModel
import JSON

/// What the data folder keeps of people, beside what the configuration says of them.
///
/// The file is one JSON object, with a person a line:
///
///     {"v":1,"people":{
///     "ada":{"birthDate":"1986-02-14","sex":"female"},
///     "bob":{}
///     }}
package struct PersistedPeople: Hashable, Sendable {
    /// The version of the file's format.
    static let version = 1
    /// So many people at most.
    package static let limit = 1_000

    private var byName: [String: Person] = [:]

    /// The people, in the order of their names.
    package var people: [Person] { byName.values.sorted { $0.name < $1.name } }

    /// Nobody.
    package init() {}

    /// The person of this name.
    package subscript(name: String) -> Person? { byName[name] }

    /// Keeps a person, in the place of the one with the same name if there is one.
    package mutating func keep(_ person: Person) {
        byName[person.name] = person
    }
}

extension PersistedPeople {
    /// Reads the file's text, strictly.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the first thing that is wrong.
    package init(json text: String, types: QuantityTypes) throws(ConfigurationError) {
        let root = try ConfigurationNode(json5: text, types: types)
        // The version first: another one may have other keys.
        if let version = try root.entries().first(where: { $0.key == "v" })?.node {
            guard try version.number() == Double(Self.version) else {
                throw version.error("was written by another version of pulsegate; use that one")
            }
        }
        let object = try root.object(keys: ["v", "people"])
        _ = try object.require("v")
        let entries = try object.require("people").entries()
        guard entries.count <= Self.limit else {
            throw ConfigurationError(path: "people", problem: "over \(Self.limit) people")
        }
        for (name, node) in entries {
            keep(try PersonReader.person(named: name, node, skipsUnknownTypes: true))
        }
    }

    /// The file's text.
    package var json: String {
        let entries = people.map { person in
            "\(JSONValue.string(person.name).json):\(PersonReader.value(of: person).json)"
        }
        return "{\"v\":\(Self.version),\"people\":{\n"
            + entries.joined(separator: ",\n") + "\n}}\n"
    }
}

extension People {
    /// The same people, with what the data folder keeps where the configuration says nothing.
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
