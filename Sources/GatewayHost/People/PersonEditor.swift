package import GatewayCore
package import HealthModel
import JSON

/// Sets facts about people, removes people and sets the default person: changes the file of people in
/// a data directory.
///
/// The configuration wins: a fact that it sets about a person cannot be set here. An error in the request
/// itself is a ``ConfigurationError`` with the key that is wrong, every other one a ``HostError``.
package struct PersonEditor {
    /// The result of a request to set facts about a person.
    package struct Result: Hashable, Sendable {
        /// The name of the person.
        package let name: String
        /// Whether the request changed a fact, or added the person.
        package let isChanged: Bool

        /// Writes the result as fields of an answer.
        func write(to json: inout JSONWriter) {
            json.field("name", name)
            json.field("changed", isChanged)
        }

        /// Creates a value from its parts.
        init(name: String, isChanged: Bool) {
            self.name = name
            self.isChanged = isChanged
        }

        /// Reads the result from the answer of a gateway.
        package init(answer node: ConfigurationNode) throws(ConfigurationError) {
            let fields = try AnswerFields(node)
            name = try fields.require("name").string()
            isChanged = try fields.require("changed").boolean()
        }
    }

    let file: ConfigurationFile
    let folder: DataDirectory

    /// Creates a value for the data directory `folder` and the configuration `file`.
    package init(file: ConfigurationFile, folder: DataDirectory) {
        self.file = file
        self.folder = folder
    }

    /// Sets and removes the facts of a request; a person who is not known is added.
    package func set(_ node: ConfigurationNode, today: CalendarDate) async throws -> Result {
        let types = file.configuration.types
        var change = try PersonChange(node.knowing(types), today: today)
        let people = try file.people(storedIn: folder)
        // In the spelling of the configuration: equal strings can have different bytes.
        change.name = people.names.first { $0 == change.name } ?? change.name
        if let stated = file.configuration.people.person(named: change.name) {
            change = try change.besideConfiguration(stated, in: file)
        }
        try folder.create()
        let wanted = change
        return try await PeopleFile(folder: folder, types: types).change {
            people throws(HostError) in
            try apply(wanted, to: &people)
        }
    }

    private func apply(
        _ change: PersonChange, to people: inout PersistedPeople
    ) throws(HostError) -> Result {
        let name = change.name
        let old = people[name]
        do throws(ConfigurationError) {
            people.insert(try change.applied(to: old))
        } catch {
            throw HostError(.failure, "cannot set facts of \(name): \(error)")
        }
        guard people.count <= PersistedPeople.limit else {
            throw HostError(
                .failure,
                "\(PersistedPeople.limit) people are already stored; remove one of them first")
        }
        return Result(name: name, isChanged: people[name] != old)
    }
}
