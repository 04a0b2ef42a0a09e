import Foundation
import Glibc

/// The part of a gateway's status that benchmarks need.
struct GatewayStatus: Decodable {
    struct Device: Decodable {
        let link: String
    }
    struct Source: Decodable {
        let healthy: Bool
    }
    struct Sink: Decodable {
        let name: String
        let pending: Int
        let delivered: Int
        let reason: String?
    }
    struct Ledger: Decodable {
        let published: Int
    }

    let devices: [Device]
    let sources: [Source]
    let sinks: [Sink]
    let ledger: Ledger
}

/// Queries a running gateway on its control socket, as `pulsegate status --json` does.
enum ControlSocket {
    /// The timeout for a reply.
    private static let timeout = timeval(tv_sec: 10, tv_usec: 0)

    /// Reads the status; nil when no gateway listens at the path.
    static func status(at path: String) throws -> GatewayStatus? {
        try reply(at: path).map { try JSONDecoder().decode(GatewayStatus.self, from: $0) }
    }

    /// Connects, asks for the status and returns the line of the reply; nil when no gateway listens.
    static func reply(at path: String) throws -> Data? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else {
            throw BenchmarkError("cannot make a socket: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        guard try connect(descriptor, to: path) else { return nil }
        var timeout = Self.timeout
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout,
            socklen_t(MemoryLayout<timeval>.size))
        let request = Array("{\"request\":\"status\"}\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return nil
        }
        return try line(from: descriptor)
    }

    private static func connect(_ descriptor: Int32, to path: String) throws -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        try withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard name.count < room.count else {
                throw BenchmarkError("\(path) is too long for a socket; use a shorter --folder")
            }
            room.copyBytes(from: name)
        }
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    private static func line(from descriptor: Int32) throws -> Data {
        var line = Data()
        var piece = [UInt8](repeating: 0, count: 65_536)
        while line.last != UInt8(ascii: "\n") {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { throw BenchmarkError("the gateway does not reply") }
            line += piece.prefix(count)
        }
        return line
    }
}
