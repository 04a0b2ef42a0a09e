import ArgumentValues
package import GatewayHost
import Platform
import Terminal

/// A note on standard error, beside the result of a command.
package enum CommandNote {
    /// Writes a note as one line.
    package static func write(_ note: String) {
        StandardStream.error.write("pulsegate: note: \(LogFormat.escaped(note))\n")
    }
}

extension HostError {
    /// Writes the message to standard error, with long arguments of the process cut.
    package func write() {
        let text = LongArguments.text(of: self, arguments: CommandLine.arguments)
        StandardStream.error.write("pulsegate: \(text)\n")
    }
}
