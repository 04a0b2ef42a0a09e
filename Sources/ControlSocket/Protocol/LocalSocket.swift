import CSocket
import GatewayCore
import Glibc
import Platform

/// A Unix socket (unix(7)); it is closed when the last reference to it is gone.
///
/// This is the only file that talks to the system's sockets. Nothing here waits but
/// ``connect(to:seconds:)``.
package final class LocalSocket: WatchedDescriptor {
    /// The system refused an operation with this `errno`.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let operation: String
        package let code: Int32

        package var description: String { "\(operation): \(SystemCall.message(of: code))" }
    }

    /// What came of a read.
    package enum ReadResult: Equatable {
        case bytes([UInt8])
        case wouldBlock
        /// The other side sends nothing more.
        case end
        case failed(Failure)
    }

    /// What came of a write.
    package enum WriteResult: Equatable {
        case wrote(Int)
        case wouldBlock
        case failed(Failure)
    }

    /// What came of an accept.
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

    /// Lets reads and writes answer `wouldBlock` instead of waiting, for a reader that waits by itself.
    package func setNonBlocking() {
        // Flags of an open descriptor can be read and written (fcntl(2)).
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// Another descriptor of the same socket.
    package func duplicate() throws(Failure) -> LocalSocket {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw Failure(operation: "dup", code: errno) }
        return LocalSocket(copy)
    }

    /// Takes the next client that waits; it does not block.
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

    /// Reads what is there, at most `limit` bytes.
    package func read(limit: Int) -> ReadResult {
        let (bytes, code) = SystemCall.read(number, limit: limit)
        switch code {
        case 0: return bytes.isEmpty ? .end : .bytes(bytes)
        case EAGAIN: return .wouldBlock
        default: return .failed(Failure(operation: "read", code: code))
        }
    }

    /// Writes as many bytes as fit now.
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

    /// Ends both directions: whoever waits for the socket, here or there, is woken.
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
    /// So many clients may wait to be accepted.
    private static let waitingClients: Int32 = 64

    /// Listens at this path, in the place of a socket that nobody listens to any more.
    package static func listen(at path: SocketPath) throws(Failure) -> LocalSocket {
        let listener = try make(flags: SOCK_NONBLOCK)
        // On Linux the file gets the mode that the socket has before it is bound, so it is private at once.
        guard fchmod(listener.number, 0o600) == 0 else {
            throw Failure(operation: "fchmod", code: errno)
        }
        path.removeSocket()
        let result = path.withAddress { bind(listener.number, $0, $1) }
        guard result == 0 else { throw Failure(operation: "bind", code: errno) }
        guard Glibc.listen(listener.number, waitingClients) == 0 else {
            throw Failure(operation: "listen", code: errno)
        }
        // Who waits for the file to appear may have found it before there was a listener.
        path.touch()
        return listener
    }

    /// Connects to whoever listens at this path, and waits no longer than so many seconds for it.
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
