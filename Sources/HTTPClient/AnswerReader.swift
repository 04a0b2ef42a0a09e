/// Collects an answer from the pieces that libcurl hands out, and stops it at its limits.
struct AnswerReader {
    /// The most bytes of headers, of provisional answers (status 1xx) and trailers too.
    static let headerLimit = 65_536

    /// Why it takes no more.
    enum Stop {
        case headersTooLarge
        case bodyTooLarge
    }

    let bodyLimit: Int
    private(set) var headers: [HTTPHeader] = []
    private(set) var body: [UInt8] = []
    private(set) var stop: Stop?
    /// Whether the headers of the answer that counts have come to their end.
    private(set) var hasHeaders = false
    private var headerBytes = 0
    private var isInBody = false

    init(bodyLimit: Int) {
        self.bodyLimit = max(bodyLimit, 0)
    }

    /// Takes a whole line; false ends the transfer.
    mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            stop = .headersTooLarge
            return false
        }
        // What comes after the body are trailers, of which nobody has asked.
        guard !isInBody else { return true }
        if line.starts(with: "HTTP/".utf8) {
            // Each answer begins so: those with status 1xx, and the one that counts.
            headers.removeAll()
            hasHeaders = false
        } else if line.allSatisfy(Self.isBlank) {
            hasHeaders = true
        } else if let header = Self.header(line) {
            headers.append(header)
        }
        return true
    }

    /// Takes a piece of the body; false ends the transfer.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isInBody = true
        let room = bodyLimit - body.count
        body.append(contentsOf: bytes.prefix(room))
        guard bytes.count > room else { return true }
        stop = .bodyTooLarge
        return false
    }

    /// Nil for a continued line (RFC 9112, section 5.2) and for what is no header.
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
