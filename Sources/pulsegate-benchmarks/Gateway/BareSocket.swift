import Glibc
import Platform

/// Sends bytes over a local socket to a thread that discards them.
final class BareSocket: Sendable {
    private let descriptor: Int32
    private let reader: JoinableThread

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw BenchmarkError("cannot make a socket: \(String(cString: strerror(errno)))")
        }
        let theirs = ends[1]
        descriptor = ends[0]
        reader = try JoinableThread(name: "socket") {
            var piece = [UInt8](repeating: 0, count: 1 << 20)
            while recv(theirs, &piece, piece.count, 0) > 0 {}
            close(theirs)
        }
    }

    deinit {
        close(descriptor)
        reader.join()
    }

    func send(_ bytes: ArraySlice<UInt8>) throws {
        try bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(
                    descriptor, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { throw BenchmarkError("the socket was closed") }
                rest = rest.dropFirst(count)
            }
        }
    }
}
