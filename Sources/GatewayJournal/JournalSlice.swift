/// A range of consecutive records from the journal.
public struct JournalSlice: Sendable, Equatable {
    /// The cursor before the first record.
    public let start: Int64
    /// The cursor after the last record.
    public let end: Int64
    /// The records as JSON lines; empty if they are unreadable.
    public let lines: RecordLines

    /// Makes a slice.
    public init(start: Int64, end: Int64, lines: RecordLines) {
        self.start = start
        self.end = end
        self.lines = lines
    }

    /// The number of records.
    public var count: Int64 { end - start }

    /// Whether the records are unreadable.
    public var isLost: Bool { lines.isEmpty && end > start }

    /// Returns the part before a cursor.
    package func prefix(to cursor: Int64) -> JournalSlice {
        guard cursor < end else { return self }
        let count = isLost ? 0 : Int(max(cursor - start, 0))
        return JournalSlice(start: start, end: cursor, lines: lines[0..<count])
    }
}

/// Builds a slice from consecutive batches.
package struct JournalSliceBuilder {
    private let start: Int64
    private let limit: JournalReadLimit
    private var end: Int64
    private var parts: [RecordLines] = []
    private var count = 0
    private var bytes: Int64 = 0

    /// Starts a slice after a cursor.
    package init(after cursor: Int64, limit: JournalReadLimit) {
        start = cursor
        end = cursor
        self.limit = limit
    }

    /// Adds the next batch, whose last record is after the cursor.
    ///
    /// Records missing before a batch become a slice without lines. A batch that was added before,
    /// which happens only in a corrupt file, adds nothing. A batch that would exceed a limit is left to
    /// the next slice, so that the reader need not cut it, which would copy it.
    ///
    /// - Returns: Whether another batch should be added.
    package mutating func add(first: Int64, _ lines: RecordLines) -> Bool {
        guard first <= end else {
            if parts.isEmpty { end = first }
            return false
        }
        let skipped = Int(end - first)
        // Batches overlap only in a corrupt file.
        guard skipped < lines.count else { return true }
        let part = skipped == 0 ? lines : lines[skipped..<lines.count]
        let isWithinLimit =
            count + part.count <= limit.count && bytes + Int64(part.bytes.count) <= limit.bytes
        guard parts.isEmpty || isWithinLimit else { return false }
        parts.append(part)
        count += part.count
        bytes += Int64(part.bytes.count)
        end = first + Int64(lines.count)
        return count < limit.count && bytes < limit.bytes
    }

    /// The slice; nil when no batch was added.
    package var slice: JournalSlice? {
        guard end > start else { return nil }
        return JournalSlice(start: start, end: end, lines: RecordLines(joining: parts))
    }
}
