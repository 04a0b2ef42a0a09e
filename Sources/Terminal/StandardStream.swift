import Glibc
package import Platform

/// Standard output or standard error.
package struct StandardStream: Sendable {
    package static let output = StandardStream(descriptor: STDOUT_FILENO)
    package static let error = StandardStream(descriptor: STDERR_FILENO)

    package let descriptor: Int32

    /// Creates a value from its parts.
    package init(
        descriptor: Int32
    ) {
        self.descriptor = descriptor
    }

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The descriptor if it is a pipe, whose reader may close it; otherwise nil.
    package var pipeDescriptor: Int32? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            return nil
        }
        return descriptor
    }

    /// Writes a line of the log or of a screen and ignores errors.
    package func write(_ text: String) {
        try? writeAll(Array(text.utf8))
    }

    /// Writes all bytes; throws the error of the system call.
    package func writeAll(_ bytes: [UInt8]) throws(OutputDescriptor.Failure) {
        try OutputDescriptor(descriptor: descriptor).write(bytes)
    }

    /// The size of the terminal; 80 columns and 24 rows if unknown.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return (
            isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24
        )
    }
}
