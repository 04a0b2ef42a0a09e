import HTTPServer
import HealthModel

/// A file of the pages, which is part of the program.
struct StaticFile: Sendable {
    let bytes: [UInt8]
    let type: String
    /// The validator of the content (RFC 9110, section 8.8.3).
    let tag: String

    /// Makes a file.
    init(_ bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
        // It distinguishes versions, and proves nothing.
        var hash = FNV1a()
        hash.combine(bytes: bytes)
        tag = "\"\(String(hash.value, radix: 16))\""
    }

    /// The response to a request; without the content when the client has it.
    func response(to request: HTTPServerRequest) -> HTTPServerResponse {
        let headers = [("Content-Type", type), ("Cache-Control", "no-cache"), ("ETag", tag)]
        let known = request.headers["if-none-match"]?.split(separator: ",") ?? []
        let isKnown = known.contains {
            let text = $0.drop { $0 == " " }
            return text == tag || text == "W/\(tag)" || text == "*"
        }
        return isKnown
            ? HTTPServerResponse(304, headers: headers, body: .bytes([]))
            : HTTPServerResponse(200, headers: headers, body: .bytes(bytes))
    }
}
