package import GatewayCore

extension LogJournalFile {
    /// The number of read errors of a segment after which what the disk cannot read is left out.
    static let readFailureLimit = 5

    package func read(after cursor: Int64, limit: JournalReadLimit) throws -> JournalSlice? {
        var builder = JournalSliceBuilder(after: cursor, limit: limit)
        for index in indices(after: cursor) {
            let isFull = try forEachBatch(
                of: index, from: segments[index].offset(after: cursor)
            ) { header, payload in
                guard header.end > cursor,
                    case .records(_, let lines)? = FrameCoding.content(of: header, payload()),
                    lines.count == header.count
                else { return false }
                return !builder.add(first: header.place.first, lines)
            }
            if isFull { break }
        }
        return builder.slice
    }

    package func place(after cursor: Int64, within bound: JournalBound) throws -> JournalPlace? {
        for index in indices(after: cursor) {
            // What is as a whole out of the bound is not read.
            if index + 1 < segments.count,
                bound.excludes(from: segments[index].place, to: segments[index + 1].place)
            {
                continue
            }
            try readMarks(of: index)
            var found: JournalPlace?
            _ = try forEachBatch(
                of: index, from: segments[index].offset(after: cursor, within: bound),
                checking: false
            ) { header, _ in
                guard header.end > cursor, bound.admits(header.place) else { return false }
                found = header.place
                return true
            }
            if let found { return found }
        }
        return nil
    }

    /// The indices of the segments that may have records after a cursor.
    private func indices(after cursor: Int64) -> Range<Int> {
        let first = segments.lastIndex { $0.place.first <= cursor } ?? 0
        return first..<segments.count
    }

    /// Reads where the batches of a segment are, unless that is known.
    private func readMarks(of index: Int) throws {
        guard segments[index].marks == nil else { return }
        var segment = segments[index]
        guard let file = try files.file(of: segment.name, in: folder) else { return }
        var reader = FrameReader(file, journal: journal, to: segment.used)
        while let item = try reader.next(checking: false) {
            guard case .frame(let header, let offset) = item, header.kind == .records
            else { continue }
            segment.note(header.place, at: offset)
        }
        segment.noteEmpty()
        segments[index] = segment
    }

    /// Calls the body with the frames of records of a segment until it returns true.
    ///
    /// Frames that a later segment has again, or that the ledger does not count, are left out: their
    /// commit failed. Without `checking` what the disk cannot read is left out, too: a place is no
    /// promise.
    ///
    /// - Returns: Whether the body returned true.
    private func forEachBatch(
        of index: Int, from offset: Int, checking: Bool = true,
        _ body: (FrameHeader, () -> [UInt8]) -> Bool
    ) throws -> Bool {
        let segment = segments[index]
        let end = index + 1 < segments.count ? segments[index + 1].place.first : next.first
        guard let file = try files.file(of: segment.name, in: folder) else { return false }
        let failures = readFailures[segment.name] ?? 0
        var reader = FrameReader(
            file, journal: journal, from: offset, to: segment.used,
            skipsUnreadable: !checking || failures >= Self.readFailureLimit)
        while let item = try nextItem(of: &reader, segment, checking: checking) {
            guard case .frame(let header, let place) = item, header.kind == .records,
                header.place.first < end
            else { continue }
            let range = reader.payload(of: header, at: place)
            if body(header, { reader.copy(range) }) { return true }
        }
        return false
    }

    /// Returns what follows, and counts the errors of the disk.
    private func nextItem(
        of reader: inout FrameReader, _ segment: Segment, checking: Bool
    ) throws -> FrameReader.Item? {
        do throws(LogError) {
            return try reader.next(checking: checking)
        } catch {
            readFailures[segment.name, default: 0] += 1
            throw error
        }
    }
}
