import Glibc

/// A listener with a full backlog: connecting to it blocks (listen(2)).
final class FullListener {
    struct Failure: Error {
        let code: Int32
    }

    let port: UInt16
    private var descriptors: [Int32] = []

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let listener = Self.makeSocket()
        descriptors.append(listener)
        guard Self.with(&address, { bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else {
            throw Failure(code: errno)
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = Self.with(&address) { pointer, _ in
            getsockname(listener, UnsafeMutablePointer(mutating: pointer), &length)
        }
        port = UInt16(bigEndian: address.sin_port)
        for _ in 0..<4 {
            let client = Self.makeSocket()
            descriptors.append(client)
            _ = Self.with(&address) { connect(client, $0, $1) }
        }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    private static func makeSocket() -> Int32 {
        let flags = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK]
        return socket(AF_INET, flags.reduce(0) { $0 | Int32($1.rawValue) }, 0)
    }

    private static func with(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
