/// An incremental parser of HTTP requests.
struct HTTPRequestReader {
    /// A parsing event.
    enum Event {
        /// The headers are complete; the body may follow.
        case head(ReceivedHTTPRequest)
        case request(ReceivedHTTPRequest)
        case malformed
    }

    private enum Phase {
        case head
        case fixed(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailer
        case complete
    }

    private static let lineLimit = 65_536

    private let storesBodies: Bool
    private var phase = Phase.head
    private var line: [UInt8] = []
    private var request: ReceivedHTTPRequest?

    init(storesBodies: Bool) {
        self.storesBodies = storesBodies
    }

    /// Consumes bytes from the front, up to the next event.
    mutating func parse(_ bytes: inout UnsafeRawBufferPointer.SubSequence) -> Event? {
        while true {
            switch phase {
            case .complete:
                phase = .head
                defer { request = nil }
                return request.map { .request($0) }
            case .fixed(let count):
                guard consumeBody(&bytes, count, next: { .fixed($0) }, done: .complete) else {
                    return nil
                }
            case .chunk(let count):
                guard consumeBody(&bytes, count, next: { .chunk($0) }, done: .chunkEnd) else {
                    return nil
                }
            case .head, .chunkSize, .chunkEnd, .trailer:
                guard consumeLine(&bytes) else { return isMalformed ? .malformed : nil }
                if let event = finishLine() { return event }
            }
        }
    }

    /// Consumes bytes of the body; false when more are needed.
    private mutating func consumeBody(
        _ bytes: inout UnsafeRawBufferPointer.SubSequence, _ count: Int, next: (Int) -> Phase,
        done: Phase
    ) -> Bool {
        let piece = bytes.prefix(count)
        bytes = bytes[piece.endIndex...]
        request?.bodyCount += piece.count
        if storesBodies { request?.body.append(contentsOf: piece) }
        phase = count == piece.count ? done : next(count - piece.count)
        return count == piece.count
    }

    /// Whether the line is too long or does not start like an HTTP method.
    private var isMalformed: Bool {
        guard line.count <= Self.lineLimit, case .head = phase, let first = line.first else {
            return line.count > Self.lineLimit
        }
        return !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
    }

    /// Consumes a line, or a whole head up to its empty line; false when more bytes are needed.
    private mutating func consumeLine(_ bytes: inout UnsafeRawBufferPointer.SubSequence) -> Bool {
        while let byte = bytes.popFirst() {
            line.append(byte)
            guard byte == UInt8(ascii: "\n") else { continue }
            if case .head = phase {
                if line.suffix(4).elementsEqual("\r\n\r\n".utf8) { return true }
            } else {
                return true
            }
        }
        return false
    }

    private mutating func finishLine() -> Event? {
        let line = line
        self.line.removeAll(keepingCapacity: true)
        switch phase {
        case .head:
            guard let head = ReceivedHTTPRequest(head: line[...]) else { return .malformed }
            request = head
            phase = Self.bodyPhase(of: head)
            return .head(head)
        case .chunkSize:
            let digits = String(decoding: line, as: UTF8.self).prefix(while: \.isHexDigit)
            guard let count = Int(digits, radix: 16) else { return .malformed }
            phase = count == 0 ? .trailer : .chunk(count)
        case .chunkEnd:
            phase = .chunkSize
        case .trailer where line.count == 2:
            phase = .complete
        default:
            break
        }
        return nil
    }

    private static func bodyPhase(of head: ReceivedHTTPRequest) -> Phase {
        if head["Transfer-Encoding"]?.lowercased() == "chunked" { return .chunkSize }
        return .fixed(head["Content-Length"].flatMap { Int($0) } ?? 0)
    }
}
