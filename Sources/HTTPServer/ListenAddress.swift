import Glibc
import Platform

/// The address and port on which a server listens.
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    private static let localName = "localhost"

    /// The address as text, without brackets.
    package let host: String
    /// The port; 0 for any free one.
    package let port: UInt16
    /// Whether only programs on this machine reach it.
    package let isLoopback: Bool
    private let bytes: [UInt8]

    /// Reads `127.0.0.1:8765`, `[::1]:8765` or `localhost:8765`; nil for another text.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = String(host.dropFirst().dropLast()) }
        if host == Self.localName { host = "127.0.0.1" }
        let family = isBracketed ? AF_INET6 : AF_INET
        var bytes = [UInt8](repeating: 0, count: isBracketed ? 16 : 4)
        guard !host.utf8.contains(0), inet_pton(family, host, &bytes) == 1,
            let address = SocketAddress(bytes: bytes, port: port)
        else { return nil }
        self.host = host
        self.port = port
        self.bytes = bytes
        isLoopback = address.isLoopback
    }

    /// The text, as in a URL.
    package var description: String { bytes.count == 16 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether every address of this machine is meant.
    package var isAny: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Opens a listening socket.
    ///
    /// - Returns: Its descriptor, which the caller closes, and its port.
    func listen() throws(HTTPServerError) -> (descriptor: Int32, port: UInt16) {
        let kind = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let family = bytes.count == 16 ? AF_INET6 : AF_INET
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw failure(errno) }
        var isOn: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor), Glibc.listen(descriptor, SOMAXCONN) == 0,
            let bound = SocketAddress(of: descriptor, { getsockname($0, $1, $2) })
        else {
            let code = errno
            Self.close(descriptor)
            throw failure(code)
        }
        return (descriptor, bound.port)
    }

    /// Closes a socket that nobody serves.
    static func close(_ descriptor: Int32) { Glibc.close(descriptor) }

    private func bind(_ descriptor: Int32) -> Bool {
        func bind<Address>(_ address: Address) -> Bool {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
                }
            }
        }
        if bytes.count == 16 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
            return bind(address)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
        return bind(address)
    }

    private func failure(_ code: Int32) -> HTTPServerError {
        let remedy =
            switch code {
            case EADDRINUSE: "; another program uses this port: choose another one in `listen`"
            case EACCES: "; ports below 1024 need a privilege: choose another one in `listen`"
            case EADDRNOTAVAIL: "; no network interface has this address"
            default: ""
            }
        return HTTPServerError(
            "cannot listen on \(self): \(SystemCall.message(of: code))\(remedy)")
    }
}
