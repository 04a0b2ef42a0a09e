import Glibc
import HTTPTesting
import Platform

/// Clients of the live events of a web server, each with a connection of its own.
enum EventClients {
    /// Descriptors for the largest number of clients, and of the benchmark itself.
    private static let descriptors = 4_096

    /// A port that nobody uses at this moment.
    static func freePort() throws -> UInt16 {
        try ScriptedHTTPServer { _, _ in .answer() }.port
    }

    /// The configuration of a web server, and of a person for each strap.
    static func configuration(port: UInt16) -> String {
        let straps = 0..<StrapBeats.straps
        let people = straps.map { "p\($0): {}" }.joined(separator: ", ")
        let devices = straps.map {
            "\"\(StrapBeats.address($0))\": { person: \"p\($0)\" }"
        }.joined(separator: ", ")
        return """
            services: { web: { use: "web", listen: "127.0.0.1:\(port)" } },
              people: { \(people) }, devices: { \(devices) },
            """
    }

    /// Connects clients, which ask for events.
    static func connect(_ count: Int, port: UInt16) throws -> LineClients {
        _ = DescriptorLimit.raise(to: descriptors)
        return try LineClients((0..<count).map { _ in try connect(port) })
    }

    private static func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, size)
            }
        }
        let request = Array("GET /v1/live HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        guard result == 0,
            send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else {
            throw BenchmarkError("cannot connect: \(SystemCall.message(of: errno))")
        }
        return descriptor
    }

    /// The beat in a line of an event; nil for other lines.
    static func beat(of line: ArraySlice<UInt8>) -> StrapBeats.Beat? {
        guard line.starts(with: "data: {\"name\":".utf8),
            let strap = StrapBeats.number(after: "\"name\":\"p", in: line),
            let rate = StrapBeats.number(after: "\"rate\":", in: line)
        else { return nil }
        return StrapBeats.Beat(strap: strap, heartRate: rate)
    }
}
