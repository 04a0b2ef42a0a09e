import ArgumentValues
package import GatewayHost
import Platform
import Terminal

/// A note on standard error, beside the result of a command.
package enum CommandNote {
    /// The start of a line on standard error.
    static let errorStart = "pulsegate: "
    /// What follows it in a note.
    static let noteStart = "note: "

    /// Writes a note as one line.
    package static func write(_ note: String) {
        StandardStream.error.write("\(errorStart)\(noteStart)\(LogFormat.escaped(note))\n")
    }
}

extension HostError {
    /// Writes the message to standard error, with long arguments of the process cut.
    package func write() {
        let text = LongArguments.text(of: self, arguments: CommandLine.arguments)
        StandardStream.error.write("\(CommandNote.errorStart)\(text)\n")
    }
}
