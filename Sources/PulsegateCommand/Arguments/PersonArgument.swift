import GatewayCore
import GatewayHost
import JSON
import Platform

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
        self.name = try people.name(name, option: "--person")
    }
}

extension People {
    /// The known person of this name, in the spelling of where it was set.
    func name(_ name: String, option: String = "") throws(HostError) -> String {
        do throws(ConfigurationError) {
            return try Self.name(name, among: names, at: option)
        } catch {
            throw HostError(.usage, LogFormat.escaped("\(error)"))
        }
    }
}
