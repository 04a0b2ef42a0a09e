import HealthModel

/// The records of lines that were encoded a moment ago, as the arrays that they came in.
///
/// They are not copied when lines are appended or cut out.
struct RecordChunks: Sendable {
    /// A part of an array of records.
    private struct Chunk {
        let records: [Record]
        let range: Range<Int>
        /// The number of records up to its end, in this chunk and those before it.
        let end: Int

        var start: Int { end - range.count }
        var isWhole: Bool { range == records.indices }
    }

    private var chunks: [Chunk] = []
    /// The number of records.
    var count: Int { chunks.last?.end ?? 0 }

    init() {}

    init(_ records: [Record]) {
        guard !records.isEmpty else { return }
        chunks = [Chunk(records: records, range: records.indices, end: records.count)]
    }

    mutating func append(_ other: RecordChunks) {
        append(other, 0..<other.count)
    }

    /// Appends the records of others in a range of indexes.
    mutating func append(_ other: RecordChunks, _ range: Range<Int>) {
        for chunk in other.chunks[other.index(of: range.lowerBound)...] {
            guard chunk.start < range.upperBound else { break }
            let wanted = range.clamped(to: chunk.start..<chunk.end)
            let first = chunk.range.lowerBound + wanted.lowerBound - chunk.start
            chunks.append(
                Chunk(
                    records: chunk.records, range: first..<(first + wanted.count),
                    end: count + wanted.count))
        }
    }

    /// The index of the chunk with a record.
    private func index(of record: Int) -> Int {
        var low = 0
        var high = chunks.count
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle].end > record { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The records in a range of indexes.
    subscript(range: Range<Int>) -> RecordChunks {
        var part = RecordChunks()
        part.append(self, range)
        return part
    }

    /// The records as one array; without a copy when they came as one.
    var joined: [Record] {
        if chunks.count == 1, chunks[0].isWhole { return chunks[0].records }
        var records: [Record] = []
        records.reserveCapacity(count)
        for chunk in chunks { records += chunk.records[chunk.range] }
        return records
    }
}
