import Glibc

/// A socket of a test that listens.
package struct ListeningSocket {
    private static let waitingClients: Int32 = 512

    package let descriptor: Int32
    /// The TCP port; 0 for a Unix socket.
    package let port: UInt16

    /// Listens on 127.0.0.1; port 0 lets the system choose.
    package static func loopback(port: UInt16) throws(ProgramFailure) -> Self {
        let descriptor = try make(AF_INET)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try listen(descriptor, at: &address)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
        }
        return Self(descriptor: descriptor, port: UInt16(bigEndian: address.sin_port))
    }

    /// Listens at a path, replacing an existing file.
    package static func unix(path: String) throws(ProgramFailure) -> Self {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw ProgramFailure("\(path): too long for a Unix socket")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        unlink(path)
        let descriptor = try make(AF_UNIX)
        try listen(descriptor, at: &address)
        return Self(descriptor: descriptor, port: 0)
    }

    /// Accepts the next client; nil when none is waiting.
    package func accept() -> Int32? {
        let client = Glibc.accept(descriptor, nil, nil)
        guard client >= 0 else { return nil }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return client
    }

    private static func make(_ family: Int32) throws(ProgramFailure) -> Int32 {
        let flags = [SOCK_STREAM, SOCK_CLOEXEC, SOCK_NONBLOCK]
        let type = flags.reduce(0) { $0 | Int32($1.rawValue) }
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw ProgramFailure("socket", code: errno) }
        return descriptor
    }

    private static func listen<Address>(
        _ descriptor: Int32, at address: inout Address
    ) throws(ProgramFailure) {
        let length = socklen_t(MemoryLayout<Address>.size)
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? Glibc.listen(descriptor, waitingClients) : -1
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw ProgramFailure("bind", code: code)
        }
    }
}
