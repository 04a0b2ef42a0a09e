import Glibc
import Platform

/// A connection to a server of this process that sends and receives bytes as they are.
package final class RawHTTPConnection {
    /// How long the server may take to answer, in seconds.
    private static let seconds = 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects to a port on 127.0.0.1.
    package init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var wait = timeval(tv_sec: Self.seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw RawHTTPFailure("cannot connect: \(SystemCall.message(of: errno))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends text.
    package func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Sends bytes; a failure shows when the answer is read.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends a request without content, and returns the response.
    package func get(_ target: String, _ headers: String = "") throws -> Response {
        send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
        return try response()
    }

    /// Closes the sending side.
    package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until the text is there, and returns all up to its end.
    package func read(until text: String) throws -> String {
        let end = Array(text.utf8)
        while true {
            if let range = buffer.firstRange(of: end) {
                defer { buffer.removeSubrange(..<range.upperBound) }
                return String(decoding: buffer[..<range.upperBound], as: UTF8.self)
            }
            guard try receive() else {
                throw RawHTTPFailure("the connection ended before \(text.debugDescription)")
            }
        }
    }

    /// Reads a number of bytes.
    package func read(count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try receive() else { throw RawHTTPFailure("the connection ended early") }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// Reads until the server closes, and returns everything.
    package func readToEnd() throws -> String {
        while try receive() {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Returns false at the end.
    private func receive() throws -> Bool {
        let (bytes, code) = SystemCall.read(descriptor, limit: 65_536)
        guard [0, ECONNRESET].contains(code) else {
            throw RawHTTPFailure("no answer: \(SystemCall.message(of: code))")
        }
        buffer += bytes
        return !bytes.isEmpty
    }

    /// A response with a length or in chunks.
    package struct Response {
        /// The status code.
        package let status: Int
        /// The status line and the headers.
        package let head: String
        /// The content.
        package let body: String
    }

    /// Reads a response.
    package func response() throws -> Response {
        let head = try read(until: "\r\n\r\n")
        let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        if let line = head.lowercased().split(separator: "\r\n").first(where: {
            $0.hasPrefix("content-length:")
        }) {
            let count = Int(line.dropFirst(15).drop { $0 == " " }) ?? 0
            return Response(
                status: status, head: head,
                body: String(decoding: try read(count: count), as: UTF8.self))
        }
        guard head.lowercased().contains("transfer-encoding: chunked") else {
            return Response(status: status, head: head, body: "")
        }
        var body = ""
        while let chunk = try chunk() { body += chunk }
        return Response(status: status, head: head, body: body)
    }

    /// Reads one chunk; nil for the last one.
    package func chunk() throws -> String? {
        let line = try read(until: "\r\n").dropLast(1)
        let count = Int(line.trimmingCharacters, radix: 16) ?? 0
        let bytes = try read(count: count + 2)
        return count == 0 ? nil : String(decoding: bytes.dropLast(2), as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmingCharacters: String { String(filter { !$0.isWhitespace }) }
}

/// A connection that did not do what was expected.
package struct RawHTTPFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
