package import GatewayHost
import Platform

/// Cuts the long arguments of a command in its error messages.
package enum LongArguments {
    /// The longest argument that a message repeats, in characters; more than the name of a file has.
    static let maximumLength = 256
    /// The length of an argument that is cut.
    private static let cutLength = 80

    /// The text of an error, in which the arguments that are too long are cut.
    ///
    /// Of `--name=value`, the name and the value are arguments too.
    package static func text(of error: HostError, arguments: [String]) -> String {
        let long = arguments.filter { $0.utf8.count > maximumLength }
        guard !long.isEmpty else { return error.text }
        var message = error.message
        for word in long.flatMap(parts) where word.count > maximumLength {
            let cut = "\(word.prefix(cutLength))…"
            message = message.replacing(text: word, with: cut)
                .replacing(text: LogFormat.escaped(word), with: cut)
        }
        return HostError(error.status, message).text
    }

    /// An argument, and what is before and after its first equals sign.
    private static func parts(_ word: String) -> [String] {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        return [word] + (parts.count == 2 ? parts : [])
    }
}
