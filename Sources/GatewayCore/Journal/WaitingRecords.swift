/// Records that were published and are not committed yet, in the groups that will be committed.
struct WaitingRecords {
    /// What will be committed in one transaction.
    struct Group {
        var lines = RecordLines([])
        var addition = Ledger.Ingest()
    }

    /// A group takes no more when it has so many records.
    static let groupCount = 3_000
    /// A group takes no more when it has so many bytes.
    static let groupBytes: Int64 = 1 << 20
    /// With so many records waiting for a disk that fails there is no room for more.
    static let countLimit: Int64 = 100_000
    /// Nor with so many bytes.
    static let byteLimit: Int64 = 32 << 20

    private var groups: [Group] = []
    /// How large the last group became that was taken out: the next one gets room for as much at once.
    private var defaultSize = (records: 0, bytes: 0)
    /// How many records wait.
    private(set) var count: Int64 = 0
    private var bytes: Int64 = 0

    /// Whether nothing waits, not even to be counted.
    var isEmpty: Bool { groups.isEmpty }
    /// Whether there is no room for more.
    var isFull: Bool { count >= Self.countLimit || bytes >= Self.byteLimit }
    /// Whether there is room for half of what may wait.
    var isHalfEmpty: Bool { count <= Self.countLimit / 2 && bytes <= Self.byteLimit / 2 }

    /// Adds records and what was counted with them.
    mutating func add(_ lines: RecordLines, _ addition: Ledger.Ingest) {
        var addition = addition
        var start = 0
        // What is published together stays together, unless it is too much for one row.
        while lines.count - start > Self.groupCount
            || byteCount(lines, from: start) > Self.groupBytes
        {
            let rest = lines[start..<lines.count]
            let piece = rest[0..<rest.prefix(count: Self.groupCount, bytes: Self.groupBytes)]
            guard piece.count < rest.count else { break }
            var own = Ledger.Ingest()
            own.converted = Int64(piece.count)
            own.published = own.converted
            addition.converted -= own.converted
            addition.published -= own.published
            put(piece, own)
            start += piece.count
        }
        put(start == 0 ? lines : lines[start..<lines.count], addition)
    }

    private func byteCount(_ lines: RecordLines, from start: Int) -> Int64 {
        Int64(lines.bytes.count - (start == 0 ? 0 : lines[start - 1].endIndex))
    }

    private mutating func put(_ lines: RecordLines, _ addition: Ledger.Ingest) {
        let isLastFull =
            groups.last.map {
                $0.lines.count >= Self.groupCount
                    || $0.lines.bytes.count + lines.bytes.count > Self.groupBytes
            } ?? true
        if isLastFull {
            groups.append(Group())
            groups[groups.count - 1].lines.reserve(
                records: defaultSize.records, bytes: defaultSize.bytes)
        }
        groups[groups.count - 1].lines.append(lines)
        groups[groups.count - 1].addition.add(addition)
        count += Int64(lines.count)
        bytes += Int64(lines.bytes.count)
    }

    /// Takes out the group that is committed next.
    mutating func takeFirst() -> Group? {
        guard !groups.isEmpty else { return nil }
        let group = groups.removeFirst()
        defaultSize = (group.lines.count, group.lines.bytes.count)
        count -= Int64(group.lines.count)
        bytes -= Int64(group.lines.bytes.count)
        return group
    }

    /// Gives up the oldest records until there is room again: they will be counted, not kept.
    ///
    /// - Returns: How many were given up.
    mutating func makeRoom() -> Int64 {
        var givenUp: Int64 = 0
        while isFull, groups.count > 1, var addition = takeFirst()?.addition {
            givenUp += addition.published
            addition.giveUpPublished()
            groups[0].addition.add(addition)
        }
        return givenUp
    }
}

extension Ledger.Ingest {
    /// What would have been published is not accepted.
    mutating func giveUpPublished() {
        unaccepted += published
        published = 0
    }
}
