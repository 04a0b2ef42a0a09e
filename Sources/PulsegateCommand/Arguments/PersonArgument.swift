import GatewayCore
import GatewayHost
import JSON
import Platform

/// Whose samples are meant.
struct PersonArgument {
    /// The person's name.
    let name: String
    /// Whether there are others, too; else everything is this person's.
    let isOneOfSeveral: Bool

    /// The name that samples must have; nil when all are meant.
    var filter: String? { isOneOfSeveral ? name : nil }

    /// The person that `--person` names, or the only one there is.
    init(_ arguments: ParsedArguments, _ people: People) throws(HostError) {
        let names = people.names
        isOneOfSeveral = names.count > 1
        guard let name = arguments.value(of: "--person") else {
            guard names.count != 1 else {
                self.name = names[0]
                return
            }
            throw HostError(
                .usage, "whose? Add --person with one of: \(names.joined(separator: ", "))")
        }
        // As the name is spelled where it was set: a letter can be written in several ways.
        guard let known = names.first(where: { $0 == name }) else {
            throw HostError(
                .usage,
                "--person: `\(LogFormat.escaped(name))` is unknown; "
                    + Suggestion.message(unknown: name, known: names))
        }
        self.name = known
    }
}
