import GatewayCore
import Glibc

/// Standard output or standard error, written in whole pieces.
struct StandardStream: Sendable {
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let error = StandardStream(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Whether a person looks at it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The descriptor, when it is a pipe, whose reader may leave; nil for anything else.
    var pipeDescriptor: Int32? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            return nil
        }
        return descriptor
    }

    /// Writes a line of the log or of a display; when it cannot be written there is nobody to tell.
    func write(_ text: String) {
        try? writeAll(Array(text.utf8))
    }

    /// Writes all of the bytes, or throws what the system says.
    func writeAll(_ bytes: [UInt8]) throws(OutputDescriptor.Failure) {
        try OutputDescriptor(descriptor: descriptor).write(bytes)
    }

    /// Writes what a command was asked for.
    ///
    /// A reader that has left has what it wanted.
    func writeResult(_ text: String) throws(CommandFailure) {
        _ = try writePart(Array(text.utf8))
    }

    /// Writes a part of what a command was asked for; false when its reader has left.
    func writePart(_ bytes: [UInt8]) throws(CommandFailure) -> Bool {
        do {
            try writeAll(bytes)
            return true
        } catch {
            if error.code == EPIPE { return false }
            let problem = error.code == EBADF ? "it is closed" : "\(error)"
            throw CommandFailure(.failure, "cannot write to standard output: \(problem)")
        }
    }

    /// The size of the terminal; 80 columns and 24 rows when it does not say.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return (
            isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
        )
    }
}
