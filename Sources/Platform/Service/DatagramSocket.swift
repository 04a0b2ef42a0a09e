import Glibc

/// A Unix datagram socket of a system service, to which messages are sent (unix(7)).
package struct DatagramSocket: Sendable {
    /// The time after which a send fails when the receiver does not read, in seconds.
    private static let timeoutSeconds = 5
    /// The maximum length of an address, without the terminating zero of a path.
    private static let lengthLimit = 107

    private let address: String

    /// Makes a socket address: an absolute path, or `@NAME` for an abstract one.
    ///
    /// Returns nil for anything else, such as a path that is too long.
    package init?(_ address: String) {
        let length = address.utf8.count
        guard address.hasPrefix("/") || address.hasPrefix("@"), length > 1,
            length <= Self.lengthLimit, !address.utf8.contains(0)
        else { return nil }
        self.address = address
    }

    /// Sends a message; returns whether the receiver got it.
    @discardableResult
    package func send(_ message: [UInt8]) -> Bool {
        let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        return withAddress { pointer, length in
            let sent = SystemCall.repeatWhileInterrupted {
                sendto(
                    descriptor, message, message.count, Int32(MSG_NOSIGNAL), pointer,
                    length)
            }
            return sent == message.count
        }
    }

    private func withAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var bytes = Array(address.utf8)
        // An abstract address begins with a null character, and ends with its length.
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: bytes) }
        let length =
            MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: socketAddress.sun_path)
            + bytes.count + (isAbstract ? 0 : 1)
        return withUnsafePointer(to: &socketAddress) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(length))
            }
        }
    }
}
