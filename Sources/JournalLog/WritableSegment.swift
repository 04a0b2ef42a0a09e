import Platform

/// The newest segment with its open file.
struct WritableSegment {
    let name: UInt64
    let file: SegmentFile
    /// Where the next frame is written.
    private(set) var offset: Int
    /// The end of the place for frames.
    private let limit: Int
    /// Whether a write failed: then it is not written to again, except for the ledger.
    private(set) var hasFailed = false
    /// Which of the two places the next ledger is written to.
    private var usesSecondPlace = false

    /// Describes a new segment.
    init(name: UInt64, file: SegmentFile, size: Int) {
        self.name = name
        self.file = file
        offset = 0
        limit = size - 2 * LogSizes.ledgerPlace
    }

    /// Describes a segment of an earlier run; only the ledger or its last frame is written to it.
    init(_ segment: Segment, file: SegmentFile) {
        self.init(name: segment.name, file: file, size: segment.size)
        offset = segment.used
        hasFailed = true
        usesSecondPlace = number(at: limit) > number(at: limit + LogSizes.ledgerPlace)
    }

    /// The number of the ledger at one of the two places; 0 when there is none.
    private func number(at offset: Int) -> UInt64 {
        var reader = FrameReader(
            file, journal: nil, from: offset, to: offset + LogSizes.ledgerPlace)
        guard case .frame(let header, _)? = try? reader.next() else { return 0 }
        return header.number
    }

    /// Whether bytes fit.
    func fits(_ count: Int) -> Bool { !hasFailed && offset + count <= limit }

    /// Writes the parts of frames at the end.
    ///
    /// - Returns: The offset of the first one.
    mutating func append(_ parts: [[UInt8]], sync: Bool) throws(LogError) -> Int {
        let start = offset
        do throws(LogError) {
            offset += try file.write(parts, at: start)
            if sync { try file.sync() }
        } catch {
            // What a synchronization that failed has left on the disk is unknown.
            hasFailed = true
            offset = start
            throw error
        }
        return start
    }

    /// Writes a ledger over the older one of the two places.
    mutating func writeLedger(_ frame: [UInt8], sync: Bool) throws(LogError) {
        guard frame.count <= LogSizes.ledgerPlace else {
            throw LogError(path: file.path, problem: .full)
        }
        // The rest of an older, longer frame would look like damage.
        let rest = [UInt8](repeating: 0, count: LogSizes.ledgerPlace - frame.count)
        let place = limit + (usesSecondPlace ? LogSizes.ledgerPlace : 0)
        try file.write(frame + rest, at: place)
        if sync { try file.sync() }
        usesSecondPlace.toggle()
    }

    /// Writes the last frame, and returns the blocks behind it to the file system.
    func end(with frame: [UInt8]) {
        do throws(LogError) {
            try file.write(frame, at: offset)
            file.truncate(to: offset + frame.count)
        } catch {
            // Without this frame the segment is only longer than it needs to be.
        }
    }
}
