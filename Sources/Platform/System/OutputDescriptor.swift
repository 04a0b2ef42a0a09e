import Glibc

/// A descriptor that is written in whole pieces, however slow its reader is.
///
/// A write blocks; it belongs on a queue of its own, or into a command that does nothing else.
package struct OutputDescriptor: Sendable {
    /// The system's error when the bytes could not be written.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The number of the error, `EPIPE` when the reader has gone away.
        package let code: Int32
        /// How many of the bytes were written all the same.
        package let written: Int

        /// The system's words for it.
        package var description: String { SystemCall.message(of: code) }
    }

    /// The descriptor, which stays its owner's.
    package let descriptor: Int32

    /// Makes an output on a descriptor.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes all of the bytes.
    package func write(_ bytes: [UInt8]) throws(Failure) {
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

    /// Somebody else may have made the descriptor non-blocking: a shell's terminal is shared.
    private func waitUntilWritable() {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        Glibc.poll(&poll, 1, -1)
    }
}
