import Glibc

/// Standard output or standard error, written in whole pieces.
struct StandardStream: Sendable {
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let error = StandardStream(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Whether a person looks at it.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes all of the text.
    ///
    /// - Returns: False when nobody reads it any more, or it cannot be written.
    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes all of the bytes.
    ///
    /// - Returns: False when nobody reads them any more, or they cannot be written.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool { errorWriting(bytes) == nil }

    /// Writes all of the bytes.
    ///
    /// - Returns: The `errno` when they cannot all be written; EPIPE when nobody reads them any more.
    func errorWriting(_ bytes: [UInt8]) -> Int32? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                Glibc.poll(&poll, 1, -1)
            } else if code != EINTR {
                return code
            }
        }
        return nil
    }

    /// The width of the terminal in columns; 80 when it does not say.
    var columns: Int {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }
}
