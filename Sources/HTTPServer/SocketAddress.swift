import Glibc

/// An Internet address with a port.
struct SocketAddress: Equatable {
    /// 4 bytes of IPv4, or 16 of IPv6.
    let bytes: [UInt8]
    let port: UInt16

    private static let mappedPrefix: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Makes an address; one of IPv4 that is mapped into IPv6 (RFC 4291, 2.5.5.2) becomes one of IPv4.
    init?(bytes: [UInt8], port: UInt16) {
        guard [4, 16].contains(bytes.count) else { return nil }
        let isMapped = bytes.count == 16 && bytes.starts(with: Self.mappedPrefix)
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
        self.port = port
    }

    /// Reads an address with a function such as getpeername(2).
    init?(
        of socket: Int32,
        _ read: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { read(socket, $0, &length) }
        }
        guard result == 0 else { return nil }
        self.init(storage)
    }

    init?(_ storage: sockaddr_storage) {
        let (bytes, port): ([UInt8], UInt16) = withUnsafeBytes(of: storage) { raw in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = raw.load(as: sockaddr_in.self)
                return (Self.bytes(address.sin_addr), UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let address = raw.load(as: sockaddr_in6.self)
                return (Self.bytes(address.sin6_addr), UInt16(bigEndian: address.sin6_port))
            default: return ([], 0)
            }
        }
        self.init(bytes: bytes, port: port)
    }

    private static func bytes<Value>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    /// The address family, AF_INET or AF_INET6.
    var family: Int32 { bytes.count == 4 ? AF_INET : AF_INET6 }

    /// Whether it is an address of this machine's loopback interface: 127.0.0.0/8 or ::1.
    var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// The address as text, without the port.
    var host: String {
        var characters = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard
            inet_ntop(family, bytes, &characters, socklen_t(characters.count)) != nil
        else { return "" }
        let text = characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return String(decoding: text, as: UTF8.self)
    }
}
