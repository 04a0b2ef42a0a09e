import GatewayCore
import HealthModel

/// What the frames of a segment say, read from its start to its end.
struct SegmentScan {
    /// What the first frame says; nil when it is damaged.
    private(set) var head: SegmentHead?
    /// The number of its journal.
    private(set) var journal: UInt64?
    /// The newest whole ledger with the number of its frame.
    private(set) var ledger: (number: UInt64, ledger: Ledger)?
    /// The newest counts of converted records with the number of their frame.
    private(set) var ingest: (number: UInt64, ingest: Ledger.Ingest)?
    /// The number of its first intact frame.
    private(set) var firstNumber: UInt64?
    /// The highest number of a frame.
    private(set) var lastNumber: UInt64 = 0
    /// The place behind the newest frame, also a damaged one, with its number.
    private(set) var end: (number: UInt64, place: JournalPlace)?
    /// The marks of its batches, and the end of its last intact frame.
    private(set) var segment: Segment
    /// The numbers of the records in intact frames, in the order of the frames; what is consecutive is
    /// one range.
    private(set) var ranges: [Range<Int64>] = []
    /// Whether there are bytes of damaged frames whose records cannot be counted.
    private(set) var hasUnknownDamage = false
    /// Whether a frame of records is damaged, or bytes that were written belong to no frame.
    private(set) var isDamaged = false
    /// Whether it has a frame that says that another segment follows.
    private(set) var hasSuccessor = false

    /// Reads a segment.
    ///
    /// - Parameter journal: The number of the journal; frames of others count as damage.
    init(_ file: SegmentFile, name: UInt64, journal: UInt64?) throws(LogError) {
        let size = min(file.size, Segment.sizeLimit)
        let start = JournalPlace(first: 0, position: 0, time: Self.unknownTime)
        segment = Segment(name: name, place: start, size: size, used: 0)
        var reader = FrameReader(file, journal: journal, to: size)
        while let item = try reader.next() {
            switch item {
            case .frame(let header, let offset):
                note(header, at: offset, reader.copy(reader.payload(of: header, at: offset)))
            case .damagedPayload(let header, _, let isTorn):
                if !isTorn { noteDamaged(header) }
            case .skipped(let range): try noteSkipped(range, file)
            }
        }
        segment.noteEmpty()
        // A segment that has a successor is cut to its frames.
        if let head, size < head.size, !hasSuccessor { noteUnknownDamage() }
    }

    /// The time of a place before the first batch.
    static let unknownTime = Instant(nanosecondsSince1970: .min)

    private mutating func note(_ header: FrameHeader, at offset: Int, _ payload: [UInt8]) {
        lastNumber = max(lastNumber, header.number)
        guard let content = FrameCoding.content(of: header, payload) else { return }
        journal = header.journal
        firstNumber = firstNumber ?? header.number
        switch content {
        case .segment(let head, let ledger):
            self.head = head
            segment.place = header.place
            note(header, ledger)
        case .ledger(let ledger): note(header, ledger)
        case .records(let ingest, let lines):
            guard lines.count == header.count else { return noteDamaged(header) }
            if header.number >= self.ingest?.number ?? 0 { self.ingest = (header.number, ingest) }
            segment.note(header.place, at: offset)
            noteRange(header.place.first..<header.end)
            noteEnd(header, Int64(lines.bytes.count))
            // Bytes that were inserted have moved it.
            if offset >= frameLimit { isDamaged = true }
        case .end: hasSuccessor = true
        }
        // The places for the ledger at the end are no part of the sequence.
        if offset < frameLimit || header.kind == .records {
            segment.used = max(segment.used, offset + header.frameLength)
        }
    }

    private mutating func noteRange(_ range: Range<Int64>) {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    private mutating func note(_ header: FrameHeader, _ ledger: Ledger) {
        guard ledger.isPlausible, header.number >= self.ledger?.number ?? 0 else { return }
        self.ledger = (header.number, ledger)
        if header.number >= ingest?.number ?? 0 { ingest = (header.number, ledger.ingest) }
        noteEnd(header, 0)
    }

    private mutating func noteDamaged(_ header: FrameHeader) {
        lastNumber = max(lastNumber, header.number)
        guard header.kind == .records else { return }
        isDamaged = true
        noteEnd(header, Int64(header.payloadLength))
    }

    private mutating func noteUnknownDamage() {
        isDamaged = true
        hasUnknownDamage = true
    }

    /// Notes the place behind a frame; a newer frame before an older one means that the commit of the
    /// older one failed.
    private mutating func noteEnd(_ header: FrameHeader, _ bytes: Int64) {
        guard header.number >= end?.number ?? 0 else { return }
        let before = end?.place
        let place = JournalPlace(
            first: header.end,
            position: max(header.place.position + bytes, before?.position ?? 0),
            time: max(header.place.time, before?.time ?? Self.unknownTime))
        end = (header.number, place)
    }

    /// The end of the sequence of frames: behind it are the two places for the ledger.
    private var frameLimit: Int {
        guard let head, segment.size >= head.size else { return segment.size }
        return max(head.size - 2 * LogSizes.ledgerPlace, 0)
    }

    /// Bytes that were never written are no damage, nor is a header that was not written to its end.
    private mutating func noteSkipped(
        _ range: Range<Int>, _ file: SegmentFile
    ) throws(LogError) {
        var start = range.lowerBound + FrameHeader.length
        let end = min(range.upperBound, frameLimit)
        while start < end, !hasUnknownDamage {
            let bytes = try file.readReadable(min(1 << 20, end - start), at: start)
            guard !bytes.isEmpty else { return }
            if bytes.contains(where: { $0 != 0 }) { noteUnknownDamage() }
            start += bytes.count
        }
    }
}
