package import GatewayHost
import Glibc
import Platform
package import Terminal

extension StandardStream {
    /// Writes the result of a command; succeeds when the reader has closed the pipe.
    ///
    /// - Parameter painter: What has painted the text, in which the text of records is escaped; a plain
    ///   one for data, whose own sequences are none of ours.
    package func writeResult(
        _ text: String, paintedBy painter: Painter = .plain
    ) throws(HostError) {
        _ = try writePart(Array(text.utf8), keeping: painter.isOn ? Painter.sequences : [])
    }

    /// Writes a part of a result, whose characters have no effect on a terminal; returns false when the reader has closed the pipe.
    package func writePart(_ bytes: [UInt8]) throws(HostError) -> Bool {
        try writePart(bytes, keeping: [])
    }

    private func writePart(
        _ bytes: [UInt8], keeping sequences: [[Unicode.Scalar]]
    ) throws(HostError) -> Bool {
        do {
            try writeAll(isTerminal ? TerminalText.escaped(bytes, keeping: sequences) : bytes)
            return true
        } catch {
            if error.code == EPIPE { return false }
            let problem = error.code == EBADF ? "it is closed" : "\(error)"
            throw HostError(.failure, "cannot write to standard output: \(problem)")
        }
    }
}
