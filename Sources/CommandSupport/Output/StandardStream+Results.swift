package import GatewayHost
import Glibc
import Platform
package import Terminal

extension StandardStream {
    /// Writes the result of a command; succeeds when the reader has closed the pipe.
    package func writeResult(_ text: String) throws(HostError) {
        _ = try writePart(Array(text.utf8))
    }

    /// Writes a part of a result, whose characters have no effect on a terminal; returns false when the reader has closed the pipe.
    package func writePart(_ bytes: [UInt8]) throws(HostError) -> Bool {
        do {
            try writeAll(
                isTerminal ? TerminalText.escaped(bytes, keeping: Painter.sequences) : bytes)
            return true
        } catch {
            if error.code == EPIPE { return false }
            let problem = error.code == EBADF ? "it is closed" : "\(error)"
            throw HostError(.failure, "cannot write to standard output: \(problem)")
        }
    }
}
