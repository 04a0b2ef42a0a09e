import Glibc

/// Reads the frames of a segment in order, and skips what is damaged.
struct FrameReader {
    /// What follows in a segment.
    enum Item {
        /// A frame with an intact payload.
        case frame(FrameHeader, offset: Int)
        /// A frame with an intact header and a changed payload.
        case damagedPayload(FrameHeader, offset: Int, isTorn: Bool)
        /// Bytes that belong to no frame.
        case skipped(Range<Int>)
    }

    /// The number of bytes that are read at once.
    private static let windowBytes = 256 << 10

    private let file: SegmentFile
    /// The number of the journal whose frames are read; nil for every one.
    private let journal: UInt64?
    private let limit: Int
    /// Whether what the disk cannot read counts as damage, and is no error.
    private let skipsUnreadable: Bool
    private(set) var offset: Int
    private var window: [UInt8] = []
    private var windowStart = 0

    /// Starts at an offset; reads up to `limit`, an offset too.
    init(
        _ file: SegmentFile, journal: UInt64?, from offset: Int = 0, to limit: Int,
        skipsUnreadable: Bool = true
    ) {
        self.skipsUnreadable = skipsUnreadable
        self.file = file
        self.journal = journal
        self.offset = offset
        self.limit = limit
    }

    /// Returns what follows; nil at the end.
    ///
    /// - Parameter checking: Whether payloads are read and checked; otherwise every frame with an
    ///   intact header is returned.
    mutating func next(checking: Bool = true) throws(LogError) -> Item? {
        guard offset < limit else { return nil }
        try load(FrameHeader.length)
        guard let header = header(at: offset) else { return .skipped(try skip()) }
        let start = offset
        offset += header.frameLength
        guard checking else { return .frame(header, offset: start) }
        offset = start
        try load(header.frameLength)
        offset += header.frameLength
        let payload = payload(of: header, at: start)
        if Checksum.crc32c(window, payload) == header.payloadChecksum {
            return .frame(header, offset: start)
        }
        // Writes go forward: without its last byte a frame was not written to its end.
        let isTorn = header.payloadLength > 0 && window[payload.upperBound - 1] == 0
        return .damagedPayload(header, offset: start, isTorn: isTorn)
    }

    /// Returns the header of the frame that follows, whose payload is not checked; nil where there is none.
    mutating func nextHeader() throws(LogError) -> (header: FrameHeader, offset: Int)? {
        guard offset < limit else { return nil }
        try load(FrameHeader.length)
        guard let header = header(at: offset) else { return nil }
        defer { offset += header.frameLength }
        return (header, offset)
    }

    /// Moves to the next header, or to the limit when there is none.
    mutating func skipToHeader() throws(LogError) {
        guard offset < limit else { return }
        try load(FrameHeader.length)
        if header(at: offset) == nil { _ = try skip() }
    }

    /// The payload of the frame that was returned last.
    func payload(of header: FrameHeader, at offset: Int) -> Range<Int> {
        let start = offset - windowStart + FrameHeader.length
        return start..<(start + header.payloadLength)
    }

    /// A copy of bytes of the window.
    func copy(_ range: Range<Int>) -> [UInt8] { Array(window[range]) }

    /// The header at an offset of the window, if its frame ends before the limit.
    private func header(at offset: Int) -> FrameHeader? {
        let header = window.withUnsafeBytes { FrameHeader($0, at: offset - windowStart) }
        guard let header, journal == nil || header.journal == journal,
            header.frameLength <= limit - offset
        else { return nil }
        return header
    }

    /// Moves to the next frame, or to the limit.
    private mutating func skip() throws(LogError) -> Range<Int> {
        let start = offset
        offset += 1
        while offset < limit {
            try load(FrameHeader.length)
            let first = offset - windowStart
            guard first < window.count else { break }
            let found = window.withUnsafeBytes { bytes -> Int? in
                guard let base = bytes.baseAddress else { return nil }
                let mark = memchr(base + first, Int32(FrameHeader.mark[0]), bytes.count - first)
                return mark.map { base.distance(to: UnsafeRawPointer($0)) }
            }
            offset = found.map { windowStart + $0 } ?? windowStart + window.count
            guard found != nil else { continue }
            try load(FrameHeader.length)
            if header(at: offset) != nil { return start..<offset }
            offset += 1
        }
        offset = limit
        return start..<limit
    }

    /// Loads the window so that it has `count` bytes from the offset on, or all up to the limit.
    private mutating func load(_ count: Int) throws(LogError) {
        let count = min(count, limit - offset)
        if offset >= windowStart, offset + count <= windowStart + window.count { return }
        let bytes = min(max(count, Self.windowBytes), limit - offset)
        window =
            skipsUnreadable
            ? try file.readReadable(bytes, at: offset) : try file.read(bytes, at: offset)
        windowStart = offset
        // A file that is shorter than the limit reads as bytes that were never written.
        if window.count < count {
            window += [UInt8](repeating: 0, count: count - window.count)
        }
    }
}
