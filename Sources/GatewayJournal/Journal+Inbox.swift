import Platform

extension Journal {
    /// The state shared with appending sources, so that they need not wait for the journal's queue.
    struct Inbox {
        var waiting = WaitingRecords()
        var pace: CommitPace
        /// Whether the last commit failed.
        var isFailing = false
        /// Whether a sink reads records.
        var keepsRecords = false
        var isClosed = false
        /// The number of records discarded since the buffer became full.
        var discarded: Int64 = 0
        /// The counts of records that arrived after the journal was closed.
        var late = Ledger.Ingest()
    }
}

extension Journal.Inbox {
    /// The actions to take after an append.
    struct Next {
        /// The commit to schedule.
        var commit: Commit?
        /// A group is full: commit immediately.
        var isGroupFull = false
        /// The source must wait for a commit.
        var needsBackpressure = false
        /// Why records are discarded now; nil if none are, or if it was logged already.
        var overflow: OverflowCause?
    }

    /// When to commit.
    enum Commit {
        /// Immediately.
        case now
        /// After a delay that collects records for a group.
        case later
    }

    /// Why the memory buffer is full.
    enum OverflowCause {
        /// The disk cannot be written.
        case disk
        /// Records arrive faster than the disk can be written.
        case throughput
    }

    /// Ends an overflow when half of the buffer is free again.
    ///
    /// - Returns: The number of records discarded since the overflow began.
    mutating func endOverflow() -> Int64 {
        guard discarded > 0, waiting.isHalfEmpty else { return 0 }
        defer { discarded = 0 }
        return discarded
    }

    mutating func append(
        _ lines: RecordLines, _ addition: Ledger.Ingest, _ receipts: [ReportReceipt] = [],
        at now: BootInstant
    ) -> Next {
        guard !isClosed else {
            late.add(addition)
            for receipt in receipts { receipt.lose() }
            return Next()
        }
        var next = Next()
        if waiting.isFull {
            let count = waiting.discardOldest()
            if count > 0, discarded == 0 { next.overflow = isFailing ? .disk : .throughput }
            discarded += count
        }
        let wasEmpty = waiting.isEmpty
        var lines = lines
        // What waits for a disk is many more records than the sinks need at once.
        if !keepsRecords || isFailing { lines.forgetRecords() }
        waiting.add(lines, addition, receipts)
        next.isGroupFull = !isFailing && waiting.count >= Journal.commitCount
        next.needsBackpressure = !isFailing && waiting.count >= Journal.backpressureLimit
        if wasEmpty, !next.isGroupFull {
            next.commit = pace.isQuiet(at: now) && !isFailing ? .now : .later
        }
        return next
    }
}
