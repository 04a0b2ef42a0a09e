import HTTPServer
import Synchronization

/// A file of the pages, which is part of the program.
final class StaticFile: Sendable {
    let bytes: [UInt8]
    let type: String
    /// The validator of the content (RFC 9110, section 8.8.3).
    let tag: String
    /// The content as gzip, from the first request for it on.
    private let compressed = Mutex<[UInt8]?>(nil)

    /// Makes a file.
    init(_ bytes: [UInt8], type: String) {
        self.bytes = bytes
        self.type = type
        tag = Negotiation.tag(of: bytes)
    }

    /// The response to a request; without the content when the client has it.
    func response(to request: HTTPServerRequest) -> HTTPServerResponse {
        let negotiation = Negotiation(request)
        let isCompressed =
            bytes.count >= Negotiation.minimumCount && negotiation.compresses(type: type)
        return negotiation.response(
            [("Content-Type", type), ("Cache-Control", "no-cache")], bytes, tag: tag,
            compressed: isCompressed ? gzip : nil)
    }

    private var gzip: [UInt8]? {
        compressed.withLock { compressed in
            if compressed == nil { compressed = GzipEncoder.encode(bytes) }
            return compressed
        }
    }
}
