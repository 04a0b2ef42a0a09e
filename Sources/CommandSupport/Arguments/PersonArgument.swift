package import GatewayCore
package import GatewayHost
import Platform
package import SQLiteStore

/// The person whose samples a command reads or writes.
package struct PersonArgument {
    /// The person's name.
    package let name: String
    /// Whether there are other people; if not, every sample belongs to this person.
    package let isOneOfSeveral: Bool

    /// The name to filter samples by; nil when there is only one person.
    package var filter: String? { isOneOfSeveral ? name : nil }

    /// The help of `--person` for commands that require a person.
    package static let help = "person; default: the only one, or that of `people default`"

    /// The person given with `--person`, the only person, or the default person, of those whom the
    /// gateway knows: for commands that write.
    ///
    /// - Parameter areAll: Whether there are no other people; otherwise the gateway checks the name.
    package init(
        _ arguments: ParsedArguments, _ people: People, areAll: Bool = true
    ) throws(HostError) {
        if !areAll, let name = arguments.value(of: "--person") {
            (self.name, isOneOfSeveral) = (name, true)
            return
        }
        let names = people.names
        isOneOfSeveral = names.count > 1
        guard let name = arguments.value(of: "--person") else {
            guard names.count != 1 else {
                self.name = names[0]
                return
            }
            self.name = try Self.standard(of: people)
            return
        }
        // Spelled as where it was set: Unicode can write a letter in several ways.
        guard let known = names.first(where: { $0 == name }) else {
            throw HostError(.usage, "--person: \(People.unknown(name, known: names))")
        }
        self.name = known
    }

    /// The person given with `--person`, who may also be one without an entry who has records in a
    /// store, the only person, or the default person: for commands that read.
    package init(
        _ arguments: ParsedArguments, _ people: People, in store: SQLiteStore?
    ) async throws(HostError) {
        guard let word = arguments.value(of: "--person") else {
            try self.init(arguments, people)
            return
        }
        let known = try await people.names(with: store)
        // In the spelling of the entry, if there is one: Unicode can write a letter in several ways.
        guard let name = known.first(where: { $0 == word }) else {
            throw HostError(
                .usage, "--person: \(LogFormat.escaped(People.unknown(word, known: known)))")
        }
        self.init(name: name, isOneOfSeveral: known.count > 1)
    }

    private init(name: String, isOneOfSeveral: Bool) {
        self.name = name
        self.isOneOfSeveral = isOneOfSeveral
    }

    /// The name given with `--person` for a command that reads; nil when it was not given.
    package static func name(
        _ arguments: ParsedArguments, _ people: People, in store: SQLiteStore?
    ) async throws(HostError) -> String? {
        guard arguments.has("--person") else { return nil }
        return try await PersonArgument(arguments, people, in: store).name
    }

    /// The default person, in the spelling of the names.
    private static func standard(of people: People) throws(HostError) -> String {
        let names = people.names
        guard let name = people.defaultName else {
            throw HostError(
                .usage,
                "--person is required when there are several people; "
                    + "known: \(names.joined(separator: ", ")); or set a default person with "
                    + "`pulsegate people default NAME`")
        }
        guard let known = names.first(where: { $0 == name }) else {
            throw HostError(
                .usage,
                "--person is required: the default person `\(name)` no longer exists; set another "
                    + "with `pulsegate people default NAME`; known: "
                    + names.joined(separator: ", "))
        }
        return known
    }
}

extension People {
    /// The names of the people, and of those who have no entry but records in a store.
    package func names(with store: SQLiteStore?) async throws(HostError) -> [String] {
        do {
            let stored = try await store?.peopleNames() ?? []
            return names + stored.filter { !names.contains($0) }
        } catch {
            throw HostError(error)
        }
    }
}
