import Glibc

/// An output descriptor that writes all bytes of a buffer, however slow its reader is.
///
/// A write blocks: call it on a dedicated queue, or in a command that does nothing else.
public struct OutputDescriptor: Sendable {
    /// The system error of a failed write.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// The `errno`; `EPIPE` when the reader has closed its end.
        public let code: Int32
        /// How many bytes were written before the failure.
        public let written: Int

        /// The system's message for the error.
        public var description: String { SystemCall.message(of: code) }
    }

    /// The descriptor, which the caller continues to own.
    public let descriptor: Int32

    /// Makes an output on a descriptor.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes all of the bytes.
    public func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN {
                waitUntilWritable()
            } else if code != EINTR {
                throw Failure(code: code, written: bytes.count - rest.count)
            }
        }
    }

    /// Another process may have made the descriptor non-blocking: a shell's terminal is shared.
    private func waitUntilWritable() {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        Glibc.poll(&poll, 1, -1)
    }
}
