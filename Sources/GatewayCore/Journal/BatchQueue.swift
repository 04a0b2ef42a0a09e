/// Batches in memory that follow each other, the oldest first.
struct BatchQueue {
    /// A batch and where it stands.
    struct Batch {
        let place: JournalPlace
        var lines: RecordLines

        /// The cursor of a sink that has dealt with it.
        var end: Int64 { place.first + Int64(lines.count) }
    }

    private var batches: [Batch] = []
    /// Where the first batch is that was not removed.
    private var head = 0
    /// How many bytes of lines there are.
    private(set) var bytes = 0

    var first: Batch? { head < batches.count ? batches[head] : nil }
    var last: Batch? { head < batches.count ? batches.last : nil }

    mutating func append(_ lines: RecordLines, at place: JournalPlace) {
        batches.append(Batch(place: place, lines: lines))
        bytes += lines.bytes.count
    }

    mutating func removeFirst() {
        bytes -= batches[head].lines.bytes.count
        batches[head].lines = RecordLines([])
        head += 1
        // Moving the rest is worth it only now and then.
        if head * 2 > batches.count {
            batches.removeFirst(head)
            head = 0
        }
    }

    /// Reads what follows a cursor, by whole batches, until a limit is reached.
    func read(after cursor: Int64, limit: JournalReadLimit) -> JournalSlice? {
        var builder = JournalSliceBuilder(after: cursor, limit: limit)
        for batch in batches[index(after: cursor)...] {
            guard builder.add(first: batch.place.first, batch.lines) else { break }
        }
        return builder.slice
    }

    /// The place of the first batch with a record after the cursor that a bound admits.
    func place(after cursor: Int64, within bound: JournalBound) -> JournalPlace? {
        batches[index(after: cursor)...].first { bound.admits($0.place) }?.place
    }

    /// The first batch that has a record after a cursor.
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

/// What was committed last: sinks that keep up get it from here, and not from the disk.
struct JournalTail {
    /// So many bytes of lines are kept.
    static let byteLimit = 4 << 20

    private var queue = BatchQueue()

    mutating func append(_ lines: RecordLines, at place: JournalPlace) {
        queue.append(lines, at: place)
        while queue.bytes > Self.byteLimit { queue.removeFirst() }
    }

    /// What follows a cursor; nil when that reaches further back.
    func read(after cursor: Int64, limit: JournalReadLimit) -> JournalSlice? {
        reaches(cursor) ? queue.read(after: cursor, limit: limit) : nil
    }

    /// The place of the batch with the first record after a cursor; nil when that is further back.
    func place(after cursor: Int64) -> JournalPlace? {
        reaches(cursor) ? queue.place(after: cursor, within: JournalBound()) : nil
    }

    private func reaches(_ cursor: Int64) -> Bool {
        queue.first.map { $0.place.first <= cursor } ?? false
    }
}
