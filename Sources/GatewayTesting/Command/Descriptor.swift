import Glibc

/// An open descriptor; it is closed with the last reference, and never reaches a child by itself.
public final class Descriptor: Sendable {
    /// The number of the descriptor.
    public let number: Int32

    private init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(number)
    }

    /// Two ends that see the same bytes: what is written to the second is read from the first.
    public static func makePipe() throws -> (read: Descriptor, write: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure("pipe") }
        return (Descriptor(ends[0]), Descriptor(ends[1]))
    }

    /// A terminal of 200 columns: what is written to the second is read from the first.
    public static func makeTerminal() throws -> (read: Descriptor, write: Descriptor) {
        var size = winsize(ws_row: 50, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0)
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, nil, &size) == 0 else { throw SystemFailure("openpty") }
        return (Descriptor(master), Descriptor(slave))
    }

    /// Reads what is there; nil at the end, which a terminal tells with EIO.
    public func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(number, &bytes, bytes.count)
            if count > 0 { return Array(bytes.prefix(count)) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}

/// A system call that a test needs has failed.
public struct SystemFailure: Error, CustomStringConvertible {
    /// The operation and the error of the system.
    public let description: String

    /// Makes a failure of an operation, by default with the current errno.
    public init(_ operation: String, code: Int32? = nil) {
        let code = code ?? errno
        description = "\(operation): \(String(cString: strerror(code)))"
    }
}
