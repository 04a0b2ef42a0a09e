package import GatewayCore
import JSON

extension PersonEditor {
    /// Removes the person of a request, with all facts that are stored about the person.
    ///
    /// A person of the configuration can be removed only there, and one who wears an adopted device
    /// not at all.
    ///
    /// - Parameter node: An object with the key `name`.
    package func remove(_ node: ConfigurationNode) async throws -> PersonRemovalResult {
        let key = PersonChange.nameKey
        let nameNode = try node.object(keys: [key]).require(key)
        let people = PeopleFile(folder: folder, types: file.configuration.types)
        // Before the file is locked: without a stored person there may be no folder to lock.
        let stored = try people.read()
        let known = file.configuration.people.adding(stored)
        let name = try nameNode.person(of: known.names)
        try check(name, isAmong: stored)
        let (rest, wasDefault) = try await people.change { people throws(HostError) in
            try check(name, isAmong: people)
            people.remove(name)
            try checkDevices(of: name, without: people)
            let rest = file.configuration.people.adding(people).names
            let wasDefault = people.defaultKey == name && !rest.contains(name)
            if wasDefault { people.defaultKey = nil }
            return (rest, wasDefault)
        }
        let note = wasDefault ? ["\(name) was the default person; none is set now"] : []
        return PersonRemovalResult(name: name, notes: note + notes(on: name, rest: rest))
    }

    /// Whether there are stored facts about a person to remove.
    ///
    /// - Throws: ``HostError`` when the person cannot be removed.
    package func canRemove(_ name: String) throws(HostError) -> Bool {
        try checkConfiguration(of: name)
        var people = try PeopleFile(folder: folder, types: file.configuration.types).read()
        guard people[name] != nil else { return false }
        people.remove(name)
        try checkDevices(of: name, without: people)
        return true
    }

    private func checkConfiguration(of name: String) throws(HostError) {
        let configured = file.configuration.people
        guard configured.person(named: name) == nil || configured.isDefault(name) else {
            throw HostError(
                .failure,
                "the configuration wins: people.\(name) in \(file.place) names this person; "
                    + "remove it there first")
        }
    }

    private func check(_ name: String, isAmong people: PersistedPeople) throws(HostError) {
        try checkConfiguration(of: name)
        guard people[name] == nil else { return }
        throw HostError(
            .failure,
            "no facts about \(name) are stored; \(name) exists as long as the configuration has no "
                + "`people`")
    }

    /// Rejects a removal that leaves an adopted device with an unknown person.
    private func checkDevices(
        of name: String, without people: PersistedPeople
    ) throws(HostError) {
        let adopted = try AdoptedDevicesFile(folder: folder).read()
        let devices = file.configuration.people.adding(people).unknownPeople(adopted)
            .filter { $0.person == name }.map { "\($0.device)" }
        guard let first = devices.first else { return }
        throw HostError(
            .failure,
            "adopted devices belong to \(name): \(devices.joined(separator: ", ")); for each of them, "
                + "change the person: `pulsegate adopt \(first) --person NAME`, "
                + "or remove the device: `pulsegate forget \(first)`")
    }

    /// Hints for the user.
    ///
    /// - Parameter rest: The names of the people after the removal.
    private func notes(on name: String, rest: [String]) -> [String] {
        if rest.contains(name) {
            return [
                "\(name) still exists, without facts, as long as the configuration has no `people`"
            ]
        }
        guard rest.count == 1 else { return [] }
        return [
            "\(rest[0]) is now the only person: `pulsegate statistics` and `pulsegate summary` use all "
                + "records in the store, whoever they belong to"
        ]
    }
}

/// The result of a request to remove a person.
package struct PersonRemovalResult: Hashable, Sendable {
    /// The name of the person.
    package let name: String
    /// Hints for the user, such as a person who remains without facts.
    package let notes: [String]

    /// Writes the result as fields of an answer.
    func write(to json: inout JSONWriter) {
        json.object("removed") { $0.field("name", name) }
        json.strings("notes", notes)
    }
}

extension PersonRemovalResult {
    /// Reads the result from the answer of a gateway.
    package init(answer node: ConfigurationNode) throws(ConfigurationError) {
        let fields = try AnswerFields(node)
        let removed = try AnswerFields(try fields.require("removed"))
        self.init(
            name: try removed.require("name").string(), notes: try fields.strings("notes"))
    }
}
