extension Journal {
    /// What those who append share with the journal's own queue, so that they need not wait for it.
    struct Inbox {
        var waiting = WaitingRecords()
        /// Whether the last commit failed.
        var isFailing = false
        var isClosed = false
        /// How many records were given up, as long as there is no room for more again and again.
        var givenUp: Int64 = 0
        /// What came after the journal was closed.
        var late = Ledger.Ingest()
    }
}

extension Journal.Inbox {
    /// What is to be done after something was appended.
    struct Next {
        /// A commit has to come soon.
        var isWork = false
        /// There is enough for a commit at once.
        var isFilled = false
        /// There is so much that whoever brings more has to wait for a commit.
        var isFarAhead = false
        /// Records are given up now, which is to be said: why.
        var mustSay: Lack?
    }

    /// Why there is no room for what comes.
    enum Lack {
        /// The disk cannot be written.
        case disk
        /// The disk is written, but not as quickly as records come.
        case pace
    }

    /// Counts anew what is given up, when there is room for half of what may wait.
    ///
    /// - Returns: How many records were given up since that was said.
    mutating func endGivingUp() -> Int64 {
        guard givenUp > 0, waiting.isHalfEmpty else { return 0 }
        defer { givenUp = 0 }
        return givenUp
    }

    mutating func take(_ lines: RecordLines, _ addition: Ledger.Ingest) -> Next {
        guard !isClosed else {
            late.add(addition)
            return Next()
        }
        var next = Next()
        if waiting.isFull {
            let count = waiting.makeRoom()
            if count > 0, givenUp == 0 { next.mustSay = isFailing ? .disk : .pace }
            givenUp += count
        }
        let wasEmpty = waiting.isEmpty
        waiting.add(lines, addition)
        next.isFilled = !isFailing && waiting.count >= Journal.commitCount
        next.isFarAhead = !isFailing && waiting.count >= Journal.aheadLimit
        next.isWork = wasEmpty && !next.isFilled
        return next
    }
}
