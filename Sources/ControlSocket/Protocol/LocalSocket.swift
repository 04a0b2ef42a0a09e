import CSocket
import GatewayCore
import Glibc
import Platform

/// A Unix domain stream socket (unix(7)), closed with its last reference.
///
/// Only ``connect(to:seconds:)`` blocks.
package final class LocalSocket: WatchedDescriptor {
    /// A failed system call with its `errno`.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let operation: String
        package let code: Int32

        package var description: String { "\(operation): \(SystemCall.message(of: code))" }
    }

    /// The result of a read.
    package enum ReadResult: Equatable {
        case bytes([UInt8])
        case wouldBlock
        /// The peer has closed its side.
        case end
        case failed(Failure)
    }

    /// The result of a write.
    package enum WriteResult: Equatable {
        case wrote(Int)
        case wouldBlock
        case failed(Failure)
    }

    /// The result of an accept.
    package enum AcceptResult {
        case client(LocalSocket)
        case wouldBlock
        /// The socket has been shut down.
        case end
        case failed(Failure)
    }

    package let number: Int32

    private init(_ number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    package var notOpen: Failure { Failure(operation: "socket", code: EBADF) }

    package func failure(of operation: String, code: Int32) -> Failure {
        Failure(operation: operation, code: code)
    }

    /// Makes reads and writes return `wouldBlock` instead of waiting.
    package func setNonBlocking() {
        // F_GETFL and F_SETFL do not fail on an open descriptor (fcntl(2)).
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// Duplicates the descriptor of the socket.
    package func duplicate() throws(Failure) -> LocalSocket {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Failure(operation: "dup", code: errno) }
        return LocalSocket(copy)
    }

    /// Accepts the next waiting client, without blocking.
    package func accept() -> AcceptResult {
        let flags = Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let client = SystemCall.repeatWhileInterrupted {
            Int(accept4(number, nil, nil, flags))
        }
        let code = errno
        if client >= 0 { return .client(LocalSocket(Int32(client))) }
        switch code {
        case EAGAIN: return .wouldBlock
        case EINVAL: return .end
        default: return .failed(Failure(operation: "accept", code: code))
        }
    }

    /// Reads the available bytes, up to `limit`.
    package func read(limit: Int) -> ReadResult {
        let (bytes, code) = SystemCall.read(number, limit: limit)
        switch code {
        case 0: return bytes.isEmpty ? .end : .bytes(bytes)
        case EAGAIN: return .wouldBlock
        default: return .failed(Failure(operation: "read", code: code))
        }
    }

    /// Writes as many bytes as fit into the send buffer.
    package func write(_ bytes: ArraySlice<UInt8>) -> WriteResult {
        let count = bytes.withUnsafeBytes { buffer in
            SystemCall.repeatWhileInterrupted {
                send(number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
        }
        let code = errno
        if count >= 0 { return .wrote(count) }
        return code == EAGAIN ? .wouldBlock : .failed(Failure(operation: "write", code: code))
    }

    /// The user that has connected, or that listens: unix(7), `SO_PEERCRED`; nil when it is not known.
    package var peerUser: UInt32? {
        // struct ucred: process, user, group.
        var credentials: [UInt32] = [0, 0, 0]
        var size = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
        let expected = size
        let result = getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
        return result == 0 && size == expected ? credentials[1] : nil
    }

    /// Shuts down both directions, which wakes waiting readers and writers on both sides.
    package func shutDown() {
        shutdown(number, Int32(SHUT_RDWR))
    }

    private static func make(flags: __socket_type...) throws(Failure) -> LocalSocket {
        let type = flags.reduce(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue) { $0 | $1.rawValue }
        let number = socket(AF_UNIX, Int32(type), 0)
        guard number >= 0 else { throw Failure(operation: "socket", code: errno) }
        return LocalSocket(number)
    }
}

extension LocalSocket {
    /// The maximum number of clients that wait to be accepted.
    private static let waitingClients: Int32 = 64

    /// The mode of a socket for the gateway's user only.
    package static let privateMode: UInt32 = 0o600
    /// The mode of a socket for the gateway's user and group.
    package static let groupMode: UInt32 = 0o660

    /// Listens at this path; a stale socket there is replaced.
    package static func listen(
        at path: SocketPath, mode: UInt32 = privateMode
    ) throws(Failure) -> LocalSocket {
        let listener = try make(flags: SOCK_NONBLOCK)
        // On Linux `bind` creates the file with the mode of the socket, so it is private from the
        // start.
        guard fchmod(listener.number, mode) == 0 else {
            throw Failure(operation: "fchmod", code: errno)
        }
        path.removeSocket()
        let result = path.withAddress { bind(listener.number, $0, $1) }
        guard result == 0 else { throw Failure(operation: "bind", code: errno) }
        // The umask of a service removes the group's write permission. Nobody can connect yet.
        guard mode == privateMode || path.setMode(mode) else {
            throw Failure(operation: "fchmodat", code: errno)
        }
        guard Glibc.listen(listener.number, waitingClients) == 0 else {
            throw Failure(operation: "listen", code: errno)
        }
        // Wakes clients that watch the directory and found the file before there was a listener.
        path.touch()
        return listener
    }

    /// Connects to the listener at this path, with a timeout in seconds.
    package static func connect(to path: SocketPath, seconds: Int) throws(Failure) -> LocalSocket {
        let client = try make()
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(client.number, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let result = path.withAddress { address, length in
            SystemCall.repeatWhileInterrupted {
                Int(Glibc.connect(client.number, address, length))
            }
        }
        guard result == 0 else { throw Failure(operation: "connect", code: errno) }
        return client
    }
}
