package import GatewayCore
package import HealthModel
import JSON

/// A change of the facts about a person: new values, and facts to remove.
///
/// As in a JSON merge patch (RFC 7396) a fact that is `null` is removed, and one that is missing stays
/// unchanged. The same holds for each type in `units`.
package struct PersonChange: Sendable {
    /// The key of the person's name.
    package static let nameKey = "name"
    private static let unitsKey = "units"
    /// The keys of a change.
    package static let keys = [nameKey] + PersonReader.settings.map(\.name)

    /// The name of the person.
    var name: String
    /// The facts to set, as in the configuration.
    private var facts: [String: JSONValue]
    private let removedFacts: Set<String>
    private let removedUnits: Set<String>
    private let types: QuantityTypes

    /// Reads a change; a birth date after `today` is rejected.
    package init(_ node: ConfigurationNode, today: CalendarDate) throws(ConfigurationError) {
        let object = try node.object(keys: Self.keys)
        let nameNode = try object.require(Self.nameKey)
        name = try nameNode.string()
        guard Person.isValidName(name) else { throw nameNode.error("\(PersonError.name)") }
        types = node.types
        var given = node.value.fields
        given[Self.nameKey] = nil
        removedFacts = given.keysOfNull
        var units = given[Self.unitsKey]?.fields ?? [:]
        removedUnits = units.keysOfNull
        for type in removedUnits.sorted() {
            _ = try object[Self.unitsKey]?.quantityType(named: type)
        }
        units = units.filter { $0.value != .null }
        if !removedUnits.isEmpty { given[Self.unitsKey] = .object(units) }
        facts = given.filter { $0.value != .null }
        let person = try person(with: facts)
        if let problem = person.birthDateProblem(today: today) {
            throw ConfigurationError(path: "birthDate", problem: problem)
        }
        // As it is written in files, so that equal facts are equal values.
        facts = PersonReader.value(of: person).fields
    }

    private func person(with facts: [String: JSONValue]) throws(ConfigurationError) -> Person {
        try PersonReader.person(
            named: name, ConfigurationNode(path: "", value: .object(facts), types: types))
    }

    /// The change without the facts that the configuration already sets to the same value.
    ///
    /// - Throws: ``HostError`` when the configuration sets a fact to another value: it wins.
    func besideConfiguration(
        _ stated: Person, in file: ConfigurationFile
    ) throws(HostError) -> PersonChange {
        var change = self
        var stated = PersonReader.value(of: stated).fields
        let statedUnits = stated.removeValue(forKey: Self.unitsKey)?.fields ?? [:]
        let path = "people.\(name)"
        change.facts = try Self.open(facts, removedFacts, stated, path, file)
        let units = facts[Self.unitsKey]?.fields ?? [:]
        let open = try Self.open(units, removedUnits, statedUnits, "\(path).units", file)
        change.facts[Self.unitsKey] = open.isEmpty ? nil : .object(open)
        return change
    }

    /// The values that are not in `stated`.
    private static func open(
        _ values: [String: JSONValue], _ removed: Set<String>, _ stated: [String: JSONValue],
        _ path: String, _ file: ConfigurationFile
    ) throws(HostError) -> [String: JSONValue] {
        for (key, value) in stated.sorted(by: { $0.key < $1.key }) {
            guard removed.contains(key) || values[key] ?? value != value else { continue }
            throw HostError(
                .failure,
                "the configuration wins: \(path).\(key) in \(file.place) sets another value; "
                    + "change it there")
        }
        return values.filter { stated[$0.key] == nil }
    }

    /// The person with the facts of the change; all other facts stay unchanged.
    func applied(to old: Person?) throws(ConfigurationError) -> Person {
        let new = try person(with: facts)
        guard let old else { return new }
        var rest = PersonReader.value(of: old).fields.filter { !removedFacts.contains($0.key) }
        if let units = rest[Self.unitsKey]?.fields {
            rest[Self.unitsKey] = .object(units.filter { !removedUnits.contains($0.key) })
        }
        return new.completed(with: try person(with: rest))
    }
}

extension JSONValue {
    /// The fields of an object; empty for every other value.
    fileprivate var fields: [String: JSONValue] {
        if case .object(let fields) = self { fields } else { [:] }
    }
}

extension [String: JSONValue] {
    /// The keys whose value is null.
    fileprivate var keysOfNull: Set<String> { Set(filter { $0.value == .null }.keys) }
}
