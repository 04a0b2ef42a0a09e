/// Collects a response from the pieces that libcurl delivers, and enforces its size limits.
struct ResponseReader {
    /// The maximum number of header bytes, including provisional responses (1xx) and trailers.
    static let headerLimit = 65_536

    /// The limit that ended the transfer.
    enum Stop {
        case headersTooLarge
        case bodyTooLarge
    }

    let bodyLimit: Int
    private(set) var headers: [HTTPHeader] = []
    private(set) var body: [UInt8] = []
    private(set) var stop: Stop?
    /// Whether the headers of the final response are complete.
    private(set) var hasHeaders = false
    private var headerBytes = 0
    private var isInBody = false

    init(bodyLimit: Int) {
        self.bodyLimit = max(bodyLimit, 0)
    }

    /// Adds a header line; false ends the transfer.
    mutating func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            stop = .headersTooLarge
            return false
        }
        // Trailers after the body are ignored.
        guard !isInBody else { return true }
        if line.starts(with: "HTTP/".utf8) {
            // A status line: of a provisional response (1xx) or of the final one.
            headers.removeAll()
            hasHeaders = false
        } else if line.allSatisfy(Self.isBlank) {
            hasHeaders = true
        } else if let header = Self.header(line) {
            headers.append(header)
        }
        return true
    }

    /// Adds a piece of the body; false ends the transfer.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isInBody = true
        let room = bodyLimit - body.count
        body.append(contentsOf: bytes.prefix(room))
        guard bytes.count > room else { return true }
        stop = .bodyTooLarge
        return false
    }

    /// Parses a header line; nil for a continuation line (RFC 9112, section 5.2) and for invalid lines.
    private static func header(_ line: UnsafeRawBufferPointer) -> HTTPHeader? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let first = line.first,
            !isBlank(first)
        else { return nil }
        let name = line[..<colon]
        guard !name.isEmpty, !name.contains(where: isBlank) else { return nil }
        var value = line[(colon + 1)...]
        while let first = value.first, isBlank(first) { value.removeFirst() }
        while let last = value.last, isBlank(last) { value.removeLast() }
        return HTTPHeader(
            receivedName: String(decoding: name, as: UTF8.self),
            value: String(decoding: value, as: UTF8.self))
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}
