import GatewayCore

/// The newest segment of a log, of which only the headers of frames and the newest counts are read.
///
/// That takes a fraction of the time of ``LogContents``, which checks everything. It is for a segment as every run
/// leaves it, also one that was killed.
struct NewestSegment {
    /// A frame by its header and its place.
    private typealias Frame = (header: FrameHeader, offset: Int)

    private let file: SegmentFile
    /// The end of the sequence of frames, before the two places for the ledger.
    private let limit: Int
    private let journal: UInt64
    private var ledger: Frame
    private var records: Frame?

    /// Reads the headers; nil when something of the segment is unusual.
    init?(_ folder: LogFolder) throws(LogError) {
        guard let name = try folder.segments().last,
            let file = try SegmentFile.open(LogFolder.name(of: name), in: folder)
        else { return nil }
        var reader = FrameReader(file, journal: nil, to: file.size)
        guard let first = try reader.nextHeader(), first.header.kind == .segment,
            case .segment(let head, _)? = try Self.content(of: first, in: file),
            head.version == SegmentHead.version, head.segment == name, head.size == file.size
        else { return nil }
        self.file = file
        limit = head.size - 2 * LogSizes.ledgerPlace
        journal = first.header.journal
        ledger = first
        guard try readFrames(after: first.header.frameLength), try readPlaces() else { return nil }
    }

    /// The number of bytes at the end of the frames in which a ledger is looked for first.
    private static let tailBytes = 64 << 10
    /// The number of bytes of which one is not zero when they were written to: JSON has no zeros.
    private static let blockBytes = 4_096

    /// Notes the frames up to the first bytes that were never written; false when they are no sequence.
    ///
    /// The last ones are read alone when there is a ledger among them, as there is where a sink stores what arrives.
    private mutating func readFrames(after start: Int) throws(LogError) -> Bool {
        guard start <= limit else { return false }
        let tail = try endOfBlocks(after: start) - Self.tailBytes
        guard tail > start else { return try readFrames(from: start) }
        let head = ledger
        if try readFrames(from: tail, isTail: true), ledger.offset != head.offset { return true }
        (ledger, records) = (head, nil)
        return try readFrames(from: start)
    }

    /// The end of the last block that was written to.
    private func endOfBlocks(after start: Int) throws(LogError) -> Int {
        var (used, free) = (0, (limit - start) / Self.blockBytes + 1)
        while used < free {
            let middle = (used + free) / 2
            let offset = start + middle * Self.blockBytes
            let block = try file.read(min(Self.blockBytes, max(limit - offset, 0)), at: offset)
            if block.contains(where: { $0 != 0 }) { used = middle + 1 } else { free = middle }
        }
        return min(start + used * Self.blockBytes, limit)
    }

    /// Notes the frames from an offset on; of a tail, from the first header in it.
    private mutating func readFrames(
        from start: Int, isTail: Bool = false
    ) throws(LogError) -> Bool {
        var reader = FrameReader(file, journal: journal, from: start, to: limit)
        if isTail { try reader.skipToHeader() }
        var number = ledger.header.number
        while let frame = try reader.nextHeader() {
            guard frame.header.number > number else { return false }
            number = frame.header.number
            switch frame.header.kind {
            case .ledger: ledger = frame
            case .records: records = frame
            // The end is followed by another segment.
            case .segment, .end: return false
            }
        }
        let rest = try file.read(min(FrameHeader.length, limit - reader.offset), at: reader.offset)
        return rest.allSatisfy { $0 == 0 }
    }

    /// Notes a newer ledger at one of the two places behind the frames; false when one is damaged.
    private mutating func readPlaces() throws(LogError) -> Bool {
        for place in [limit, limit + LogSizes.ledgerPlace] {
            var reader = FrameReader(
                file, journal: journal, from: place, to: place + LogSizes.ledgerPlace)
            if let frame = try reader.nextHeader() {
                guard frame.header.kind == .ledger else { return false }
                if frame.header.number > ledger.header.number { ledger = frame }
            } else if try file.read(FrameHeader.length, at: place).contains(where: { $0 != 0 }) {
                return false
            }
        }
        return true
    }

    /// The committed ledger; nil when a frame of it is damaged.
    func committedLedger() throws(LogError) -> Ledger? {
        var found: Ledger
        switch try Self.content(of: ledger, in: file) {
        case .segment(_, let ledger)?, .ledger(let ledger)?: found = ledger
        case .records, .end, nil: return nil
        }
        if let records, records.header.number > ledger.header.number {
            guard case .records(let ingest, _)? = try Self.content(of: records, in: file),
                ingest.isPlausible, ingest.published == records.header.end
            else { return nil }
            found.ingest = ingest
        }
        return found.isPlausible ? found : nil
    }

    /// The content of a frame; nil when its payload is damaged.
    private static func content(
        of frame: Frame, in file: SegmentFile
    ) throws(LogError) -> FrameContent? {
        var reader = FrameReader(
            file, journal: frame.header.journal, from: frame.offset,
            to: frame.offset + frame.header.frameLength)
        guard case .frame(let header, let offset)? = try reader.next() else { return nil }
        return FrameCoding.content(of: header, reader.copy(reader.payload(of: header, at: offset)))
    }
}
