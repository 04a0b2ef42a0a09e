import Platform
import Terminal

/// A note on standard error, beside the result of a command.
enum CommandNote {
    /// Writes a note as one line.
    static func write(_ note: String) {
        StandardStream.error.write("pulsegate: note: \(LogFormat.escaped(note))\n")
    }
}
