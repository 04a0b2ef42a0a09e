import HealthModel

/// A batch for a sink, with the range of the journal that it covers.
struct SinkBatch {
    /// The maximum number of journal records to scan for one batch.
    static let scanLimit: Int64 = 100_000

    /// The cursor before the batch.
    let start: Int64
    /// The cursor after the batch.
    private(set) var end: Int64
    /// The lines to deliver.
    private(set) var lines = RecordLines([])
    /// The number of excluded records.
    private(set) var filtered: Int64 = 0
    /// The number of unreadable records.
    private(set) var lost: Int64 = 0

    private let limit: SinkOptions.BatchLimit

    init(after cursor: Int64, limit: SinkOptions.BatchLimit) {
        start = cursor
        end = cursor
        self.limit = limit
    }

    /// Whether a limit is reached, or nearly: to fill the rest, the records would be copied.
    var isFull: Bool {
        lines.count >= limit.count - limit.count / 12 || Int64(lines.bytes.count) >= limit.bytes
            || end - start >= Self.scanLimit
    }

    /// Adds as much of a slice as fits, of the records that pass the filter and are permitted.
    ///
    /// - Returns: Whether all of it was added.
    mutating func add(
        _ slice: JournalSlice, _ filter: TypeFilter?, _ permits: ((Record) -> Bool)? = nil,
        with decoder: inout RecordDecoder
    ) -> Bool {
        guard !slice.isLost else {
            lost += slice.end - end
            end = slice.end
            return true
        }
        guard permits != nil || filter.map({ !$0.passes(slice.lines) }) ?? false else {
            let first = Int(end - slice.start)
            let capacity = capacity(in: slice.lines, from: first)
            add(slice.lines, first..<first + capacity)
            return end == slice.end
        }
        while end < slice.end {
            let index = Int(end - slice.start)
            let isWanted = Self.isWanted(slice.lines[index], filter, permits, &decoder)
            guard pick(from: slice.lines, at: index, isWanted) else { return false }
            end += 1
        }
        return true
    }

    /// Whether a line passes the filter and is permitted; nil if it is not a record.
    private static func isWanted(
        _ line: ArraySlice<UInt8>, _ filter: TypeFilter?, _ permits: ((Record) -> Bool)?,
        _ decoder: inout RecordDecoder
    ) -> Bool? {
        let passes = filter.map { $0.isWanted(line, &decoder) } ?? true
        guard passes == true, let permits else { return passes }
        return (try? decoder.decode(line)).map(permits)
    }

    /// Adds a line if it is wanted; false if it does not fit.
    private mutating func pick(
        from others: RecordLines, at index: Int, _ isWanted: Bool?
    ) -> Bool {
        let line = others[index]
        switch isWanted {
        case true?:
            let bytes = Int64(lines.bytes.count + line.count)
            guard lines.isEmpty || (lines.count < limit.count && bytes <= limit.bytes)
            else { return false }
            lines.append(others, at: index)
        case false?: filtered += 1
        case nil: lost += 1
        }
        return true
    }

    /// Returns the number of lines that fit; at least one if the batch is empty.
    private func capacity(in other: RecordLines, from first: Int) -> Int {
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
