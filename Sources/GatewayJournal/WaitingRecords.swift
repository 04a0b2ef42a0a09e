/// The published records that are not committed yet, in groups to commit.
struct WaitingRecords {
    /// The records of one transaction.
    struct Group {
        var lines = RecordLines([])
        var addition = Ledger.Ingest()
        /// The receipts of the reports that end in this group.
        fileprivate var receipts: [ReportReceipt] = []
        /// The receipts of reports of which a later group has the end.
        fileprivate var openReceipts: [ReportReceipt] = []

        /// Notes that the records are committed, after those of all earlier groups.
        func noteCommit() {
            for receipt in receipts { receipt.commit() }
        }

        /// Notes that the records were discarded.
        func noteLoss() {
            for receipt in receipts + openReceipts { receipt.lose() }
        }
    }

    /// The number of records at which a group is full.
    static let groupCount = 3_000
    /// The number of bytes at which a group is full.
    static let groupBytes: Int64 = 1 << 20
    /// The number of records at which the buffer is full.
    static let countLimit: Int64 = 100_000
    /// The number of bytes at which the buffer is full.
    static let byteLimit: Int64 = 32 << 20

    private var groups: [Group] = []
    /// The size of the last removed group, reserved for the next one.
    private var defaultSize = (records: 0, bytes: 0)
    /// The number of records.
    private(set) var count: Int64 = 0
    private var bytes: Int64 = 0

    /// Whether there are neither records nor counts.
    var isEmpty: Bool { groups.isEmpty }
    /// Whether a limit is reached.
    var isFull: Bool { count >= Self.countLimit || bytes >= Self.byteLimit }
    /// Whether at least half of the buffer is free.
    var isHalfEmpty: Bool { count <= Self.countLimit / 2 && bytes <= Self.byteLimit / 2 }

    /// Adds records with their counts.
    mutating func add(
        _ lines: RecordLines, _ addition: Ledger.Ingest, _ receipts: [ReportReceipt] = []
    ) {
        var addition = addition
        var start = 0
        // Records published together stay in one group, unless they exceed its limits.
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
            groups[groups.count - 1].openReceipts += receipts
            start += piece.count
        }
        put(start == 0 ? lines : lines[start..<lines.count], addition)
        groups[groups.count - 1].receipts += receipts
    }

    private func byteCount(_ lines: RecordLines, from start: Int) -> Int64 {
        Int64(lines.bytes.count - (start == 0 ? 0 : lines[start - 1].endIndex))
    }

    private mutating func put(_ lines: RecordLines, _ addition: Ledger.Ingest) {
        let isLastFull =
            groups.last.map {
                $0.lines.count + lines.count > Self.groupCount
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

    /// Removes and returns the group to commit next.
    mutating func takeFirst() -> Group? {
        guard !groups.isEmpty else { return nil }
        let group = groups.removeFirst()
        defaultSize = (group.lines.count, group.lines.bytes.count)
        count -= Int64(group.lines.count)
        bytes -= Int64(group.lines.bytes.count)
        return group
    }

    /// Gives up the records of all lines.
    mutating func forgetRecords() {
        for index in groups.indices { groups[index].lines.forgetRecords() }
    }

    /// Discards the oldest records until the buffer is no longer full; only their counts remain.
    ///
    /// - Returns: The number of discarded records.
    mutating func discardOldest() -> Int64 {
        var discarded: Int64 = 0
        while isFull, groups.count > 1, let group = takeFirst() {
            group.noteLoss()
            var addition = group.addition
            discarded += addition.published
            addition.discardPublished()
            groups[0].addition.add(addition)
        }
        return discarded
    }
}

extension Ledger.Ingest {
    /// Counts the published records as not accepted.
    mutating func discardPublished() {
        unaccepted += published
        published = 0
    }
}
