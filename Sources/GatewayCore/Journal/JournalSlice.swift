/// Records as they stand in the journal.
public struct JournalSlice: Sendable, Equatable {
    /// The cursor that it was read after.
    public let start: Int64
    /// The cursor of a sink that has dealt with all of it.
    public let end: Int64
    /// The records as JSON lines, one for each; none at all when these records cannot be read any more.
    public let lines: RecordLines

    /// Makes a slice.
    public init(start: Int64, end: Int64, lines: RecordLines) {
        self.start = start
        self.end = end
        self.lines = lines
    }

    /// How many records there are.
    public var count: Int64 { end - start }

    /// Whether the records cannot be read any more.
    public var isLost: Bool { lines.isEmpty && end > start }

    /// The part of it up to a cursor.
    package func prefix(to cursor: Int64) -> JournalSlice {
        guard cursor < end else { return self }
        let count = isLost ? 0 : Int(max(cursor - start, 0))
        return JournalSlice(start: start, end: cursor, lines: lines[0..<count])
    }
}

/// Puts a slice together from batches that follow each other.
package struct JournalSliceBuilder {
    private let start: Int64
    private let limit: JournalReadLimit
    private var end: Int64
    private var parts: [RecordLines] = []
    private var count = 0
    private var bytes: Int64 = 0

    /// Begins a slice after a cursor.
    package init(after cursor: Int64, limit: JournalReadLimit) {
        start = cursor
        end = cursor
        self.limit = limit
    }

    /// Adds the next batch, whose last record is after the cursor.
    ///
    /// What is missing before a batch becomes a slice of its own, which has no lines. A batch of which
    /// all was there before, as only a strange file has it, adds nothing.
    ///
    /// - Returns: Whether another one is wanted.
    package mutating func add(first: Int64, _ lines: RecordLines) -> Bool {
        guard first <= end else {
            if parts.isEmpty { end = first }
            return false
        }
        let skipped = Int(end - first)
        // Batches that overlap come of a damaged file.
        guard skipped < lines.count else { return true }
        let part = skipped == 0 ? lines : lines[skipped..<lines.count]
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
