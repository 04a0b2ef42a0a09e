import HealthModel

/// What a sink is given next, and which part of the journal that settles.
struct SinkBatch {
    /// A look at so many records of the journal is enough, however few of them are wanted.
    static let lookLimit: Int64 = 100_000

    /// The cursor that it was gathered after.
    let start: Int64
    /// The cursor when all of it is dealt with.
    private(set) var end: Int64
    /// What the sink wants of it.
    private(set) var lines = RecordLines([])
    /// How much of it the sink does not want.
    private(set) var filtered: Int64 = 0
    /// How much of it cannot be read.
    private(set) var lost: Int64 = 0

    private let limit: SinkOptions.BatchLimit

    init(after cursor: Int64, limit: SinkOptions.BatchLimit) {
        start = cursor
        end = cursor
        self.limit = limit
    }

    /// Whether it is as large as it may be.
    var isFull: Bool {
        lines.count >= limit.count || Int64(lines.bytes.count) >= limit.bytes
            || end - start >= Self.lookLimit
    }

    /// Takes as much of a slice as there is room for.
    ///
    /// - Returns: Whether there was room for all of it.
    mutating func take(
        _ slice: JournalSlice, _ filter: TypeFilter?, with decoder: inout RecordDecoder
    ) -> Bool {
        guard !slice.isLost else {
            lost += slice.end - end
            end = slice.end
            return true
        }
        guard let filter else {
            let first = Int(end - slice.start)
            let room = room(in: slice.lines, from: first)
            add(slice.lines, first..<first + room)
            return end == slice.end
        }
        while end < slice.end {
            guard pick(slice.lines[Int(end - slice.start)], filter, &decoder) else { return false }
            end += 1
        }
        return true
    }

    /// Takes a line if it is wanted; false when there is no room for it.
    private mutating func pick(
        _ line: ArraySlice<UInt8>, _ filter: TypeFilter, _ decoder: inout RecordDecoder
    ) -> Bool {
        switch filter.isWanted(line, &decoder) {
        case true?:
            let bytes = Int64(lines.bytes.count + line.count)
            guard lines.isEmpty || (lines.count < limit.count && bytes <= limit.bytes)
            else { return false }
            lines.append(line: line)
        case false?: filtered += 1
        case nil: lost += 1
        }
        return true
    }

    /// How many lines there is room for; one at least, when there is none yet.
    private func room(in other: RecordLines, from first: Int) -> Int {
        let base = first == 0 ? 0 : other[first - 1].endIndex
        let free = limit.bytes - Int64(lines.bytes.count)
        let count = other.prefix(
            count: first + limit.count - lines.count, bytes: Int64(base) + free)
        return max(count - first, lines.isEmpty ? 1 : 0)
    }

    private mutating func add(_ other: RecordLines, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        let isAll = range.count == other.count
        let part = isAll ? other : other[range]
        if lines.isEmpty { lines = part } else { lines.append(part) }
        end += Int64(range.count)
    }
}
