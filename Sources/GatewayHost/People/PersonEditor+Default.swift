package import GatewayCore
import JSON

extension PersonEditor {
    /// Sets the person of a request as the default, or none.
    ///
    /// - Parameter node: An object with the key `name`: a known person, or null.
    package func setDefault(_ node: ConfigurationNode) async throws -> DefaultPersonResult {
        let key = PersonChange.nameKey
        let nameNode = try node.object(keys: [key]).require(key)
        let types = file.configuration.types
        let people = PeopleFile(folder: folder, types: types)
        // Before the file is locked, so that an unknown name makes no folder.
        _ = try name(nameNode, among: people.read())
        try folder.create()
        let result = try await people.change { people throws(HostError) in
            // Another command may have removed the person meanwhile.
            let name: String?
            do throws(ConfigurationError) {
                name = try self.name(nameNode, among: people)
            } catch {
                throw HostError(.usage, "\(error)")
            }
            let isChanged = people.defaultKey != name
            people.defaultKey = name
            return DefaultPersonResult(name: name, isChanged: isChanged)
        }
        return result
    }

    private func name(
        _ node: ConfigurationNode, among people: PersistedPeople
    ) throws(ConfigurationError) -> String? {
        guard node.value != .null else { return nil }
        return try node.person(of: file.configuration.people.adding(people).names)
    }
}

/// The result of a request to set the default person.
package struct DefaultPersonResult: Hashable, Sendable {
    /// The default person; nil when there is none.
    package let name: String?
    /// Whether the request changed it.
    package let isChanged: Bool

    /// Writes the result as fields of an answer.
    func write(to json: inout JSONWriter) {
        json.field("default", name)
        json.field("changed", isChanged)
    }

    /// Creates a value from its parts.
    init(name: String?, isChanged: Bool) {
        self.name = name
        self.isChanged = isChanged
    }

    /// Reads the result from the answer of a gateway.
    package init(answer node: ConfigurationNode) throws(ConfigurationError) {
        let fields = try AnswerFields(node)
        name = try fields["default"]?.string()
        isChanged = try fields.require("changed").boolean()
    }
}
