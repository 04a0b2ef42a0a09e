/// A queue of consecutive batches in memory, oldest first.
struct BatchQueue {
    /// A batch with its place in the journal.
    struct Batch {
        let place: JournalPlace
        var lines: RecordLines

        /// The cursor behind the batch.
        var end: Int64 { place.first + Int64(lines.count) }
    }

    private var batches: [Batch] = []
    /// The index of the first batch that was not removed.
    private var head = 0
    /// The size of all lines in bytes, with their records.
    private(set) var bytes = 0

    var first: Batch? { head < batches.count ? batches[head] : nil }
    var last: Batch? { head < batches.count ? batches.last : nil }

    mutating func append(_ lines: RecordLines, at place: JournalPlace) {
        batches.append(Batch(place: place, lines: lines))
        bytes += lines.footprint
    }

    /// Gives up the records of all lines.
    mutating func forgetRecords() {
        for index in head..<batches.count { batches[index].lines.forgetRecords() }
        bytes = batches[head...].reduce(0) { $0 + $1.lines.footprint }
    }

    mutating func removeFirst() {
        bytes -= batches[head].lines.footprint
        batches[head].lines = RecordLines([])
        head += 1
        // Compacts only now and then, so that removal takes constant time on average.
        if head * 2 > batches.count {
            batches.removeFirst(head)
            head = 0
        }
    }

    /// Reads whole batches after a cursor until a limit is reached.
    func read(after cursor: Int64, limit: JournalReadLimit) -> JournalSlice? {
        var builder = JournalSliceBuilder(after: cursor, limit: limit)
        for batch in batches[index(after: cursor)...] {
            guard builder.add(first: batch.place.first, batch.lines) else { break }
        }
        return builder.slice
    }

    /// Returns the place of the first batch within `bound` that has a record after the cursor.
    func place(after cursor: Int64, within bound: JournalBound) -> JournalPlace? {
        batches[index(after: cursor)...].first { bound.admits($0.place) }?.place
    }

    /// Returns the index of the first batch that has a record after a cursor.
    private func index(after cursor: Int64) -> Int {
        var low = head
        var high = batches.count
        while low < high {
            let middle = (low + high) / 2
            if batches[middle].end > cursor { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A cache of the newest committed batches, so that sinks which keep up need not read the disk.
///
/// What every sink has is discarded.
struct JournalTail {
    /// The maximum size of the cached lines in bytes, with their records.
    static let byteLimit = 4 << 20

    private var queue = BatchQueue()

    mutating func append(_ lines: RecordLines, at place: JournalPlace) {
        queue.append(lines, at: place)
        while queue.bytes > Self.byteLimit { queue.removeFirst() }
    }

    /// Discards the batches that end at or before a cursor.
    mutating func discard(upTo cursor: Int64) {
        while let first = queue.first, first.end <= cursor { queue.removeFirst() }
    }

    /// Gives up the records: they are decoded from their lines.
    mutating func forgetRecords() { queue.forgetRecords() }

    /// The size of the cached lines in bytes.
    var bytes: Int { queue.bytes }

    /// Reads records after a cursor; nil if the cache does not reach back that far.
    func read(after cursor: Int64, limit: JournalReadLimit) -> JournalSlice? {
        reaches(cursor) ? queue.read(after: cursor, limit: limit) : nil
    }

    /// Returns the place of the first batch after a cursor; nil if it is not cached.
    func place(after cursor: Int64) -> JournalPlace? {
        reaches(cursor) ? queue.place(after: cursor, within: JournalBound()) : nil
    }

    private func reaches(_ cursor: Int64) -> Bool {
        queue.first.map { $0.place.first <= cursor } ?? false
    }
}
