extension Journal {
    /// What those who append share with the journal's own queue, so that they need not wait for it.
    struct Inbox {
        var waiting = WaitingRecords()
        /// Whether the last commit failed.
        var isFailing = false
        var isClosed = false
        /// How many records were given up since commits fail.
        var givenUp: Int64 = 0
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
        /// Records are given up now, which is to be said.
        var mustSay = false
    }

    mutating func take(_ lines: RecordLines, _ addition: Ledger.Intake) -> Next {
        guard !isClosed else { return Next() }
        var next = Next()
        if waiting.isFull {
            let count = waiting.makeRoom()
            next.mustSay = count > 0 && givenUp == 0
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
