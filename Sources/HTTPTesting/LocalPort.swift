import Glibc
import Platform

/// Ports of this machine for servers that tests start.
package enum LocalPort {
    /// A port on which nothing listens; another program may take it before it is used.
    package static func free() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0
                    ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard code == 0 else {
            throw RawHTTPFailure("no free port: \(SystemCall.message(of: errno))")
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
