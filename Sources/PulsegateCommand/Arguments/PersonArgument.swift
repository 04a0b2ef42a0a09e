import GatewayCore
import GatewayHost

/// The person whose samples a command reads or writes.
struct PersonArgument {
    /// The person's name.
    let name: String
    /// Whether there are other people; if not, every sample belongs to this person.
    let isOneOfSeveral: Bool

    /// The name to filter samples by; nil when there is only one person.
    var filter: String? { isOneOfSeveral ? name : nil }

    /// The person given with `--person`, or the only person.
    init(_ arguments: ParsedArguments, _ people: People) throws(HostError) {
        let names = people.names
        isOneOfSeveral = names.count > 1
        guard let name = arguments.value(of: "--person") else {
            guard names.count != 1 else {
                self.name = names[0]
                return
            }
            throw HostError(
                .usage,
                "--person is required when there are several people; "
                    + "known: \(names.joined(separator: ", "))")
        }
        // Spelled as where it was set: Unicode can write a letter in several ways.
        guard let known = names.first(where: { $0 == name }) else {
            throw HostError(.usage, "--person: \(People.unknown(name, known: names))")
        }
        self.name = known
    }
}
