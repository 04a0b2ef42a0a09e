import GatewayCore
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
    func write(_ bytes: [UInt8]) -> Bool {
        (try? OutputDescriptor(descriptor: descriptor).write(bytes)) != nil
    }

    /// The width of the terminal in columns; 80 when it does not say.
    var columns: Int {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }
}
