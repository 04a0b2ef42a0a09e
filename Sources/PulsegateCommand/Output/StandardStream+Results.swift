import GatewayHost
import Glibc
import Platform
import Terminal

extension StandardStream {
    /// Writes what a command was asked for.
    ///
    /// A reader that has left has what it wanted.
    func writeResult(_ text: String) throws(HostError) {
        _ = try writePart(Array(text.utf8))
    }

    /// Writes a part of what a command was asked for; false when its reader has left.
    func writePart(_ bytes: [UInt8]) throws(HostError) -> Bool {
        do {
            try writeAll(bytes)
            return true
        } catch {
            if error.code == EPIPE { return false }
            let problem = error.code == EBADF ? "it is closed" : "\(error)"
            throw HostError(.failure, "cannot write to standard output: \(problem)")
        }
    }
}
