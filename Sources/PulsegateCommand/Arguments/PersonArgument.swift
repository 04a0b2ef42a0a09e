import GatewayCore
import GatewayHost
import Platform

/// The person whose samples a command reads or writes.
struct PersonArgument {
    /// The person's name.
    let name: String
    /// Whether there are other people; if not, every sample belongs to this person.
    let isOneOfSeveral: Bool

    /// The name to filter samples by; nil when there is only one person.
    var filter: String? { isOneOfSeveral ? name : nil }

    /// The help of `--person` for commands that require a person.
    static let help = "person; default: the only one, or that of `people default`"

    /// The person given with `--person`, the only person, or the default person.
    ///
    /// - Parameter areAll: Whether there are no other people; otherwise the gateway checks the name.
    init(
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

    /// What an empty result may be due to: a name that no person has.
    static func hint(on name: String?, _ people: People) -> String {
        guard let name, !people.names.contains(name) else { return "" }
        return LogFormat.escaped("; \(People.unknown(name, known: people.names))")
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
