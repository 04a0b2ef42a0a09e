import HTTPServer
import HealthModel

/// What a client accepts of the response to a request: compressed content, and none when it has it already.
struct Negotiation: Sendable {
    /// The minimum number of bytes that are compressed: less is one packet anyway.
    static let minimumCount = 1_024
    private static let suffix = "-gzip"
    private static let compressibleTypes = [
        "text/html", "text/css", "text/javascript", "text/plain", "text/csv", "application/json",
        "application/manifest+json", "application/vnd.garmin.tcx+xml", "image/svg+xml",
        "application/openmetrics-text",
    ]

    /// Whether compressed content is accepted (RFC 9110, section 12.5.3).
    let acceptsGzip: Bool
    /// The validators of content that the client has (RFC 9110, section 13.1.2); nil for a request that changes
    /// something.
    private let known: [Substring]?

    /// Reads the headers of a request.
    init(_ request: HTTPServerRequest) {
        acceptsGzip = Self.accepts("gzip", request.headers["accept-encoding"] ?? "")
        let isReading = ["GET", "HEAD"].contains(request.method)
        known = isReading ? request.headers["if-none-match"]?.split(separator: ",") ?? [] : nil
    }

    private static func accepts(_ coding: String, _ header: String) -> Bool {
        var isAccepted = false
        for element in header.lowercased().split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let name = parts.first, name == coding || name == "*" else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            let isRefused = weight.map { Double($0) ?? 0 <= 0 } ?? false
            if name == coding { return !isRefused }
            isAccepted = !isRefused
        }
        return isAccepted
    }

    /// Whether content of a type is sent compressed.
    func compresses(type: String?) -> Bool {
        guard acceptsGzip, let type = type?.split(separator: ";").first else { return false }
        return Self.compressibleTypes.contains(String(type))
    }

    /// The response with all of its content, or with status 304.
    ///
    /// - Parameters:
    ///   - headers: The headers, with the type.
    ///   - tag: The validator of the content without its quotation marks.
    ///   - compressed: The content as gzip, in place of compressing it here.
    func response(
        _ headers: [(name: String, value: String)], _ bytes: [UInt8], tag: String? = nil,
        compressed: [UInt8]? = nil
    ) -> HTTPServerResponse {
        guard let known else {
            return HTTPServerResponse(200, headers: headers, body: .bytes(bytes))
        }
        var headers = headers
        let type = headers.first { $0.name == "Content-Type" }?.value
        let isCompressed = bytes.count >= Self.minimumCount && compresses(type: type)
        let tag = tag ?? Self.tag(of: bytes)
        headers.append(("ETag", "\"\(tag)\(isCompressed ? Self.suffix : "")\""))
        headers.append(("Vary", "Accept-Encoding"))
        if Self.contains(tag, in: known) {
            return HTTPServerResponse(304, headers: headers, body: .bytes([]))
        }
        guard isCompressed, let body = compressed ?? GzipEncoder.encode(bytes) else {
            return HTTPServerResponse(200, headers: headers, body: .bytes(bytes))
        }
        headers.append(("Content-Encoding", "gzip"))
        return HTTPServerResponse(200, headers: headers, body: .bytes(body))
    }

    /// A validator of content, which distinguishes versions and proves nothing.
    static func tag(of bytes: [UInt8]) -> String {
        var hash = FNV1a()
        hash.combine(bytes: bytes)
        return String(hash.value, radix: 16)
    }

    /// The same content is known in either encoding.
    private static func contains(_ tag: String, in known: [Substring]) -> Bool {
        known.contains { element in
            var text = element.drop { $0 == " " }
            while text.last == " " { text = text.dropLast() }
            if text.hasPrefix("W/") { text = text.dropFirst(2) }
            return text == "\"\(tag)\"" || text == "\"\(tag)\(suffix)\"" || text == "*"
        }
    }
}
