import Platform
import Synchronization

extension Journal {
    /// Commits the pending records group by group until one fails.
    ///
    /// The cursors are saved with them; if nothing is pending, only if `savingSinks` is set.
    package func commit(savingSinks: Bool = false) {
        var hasCommitted = false
        while let next = group ?? inbox.withLock({ $0.waiting.takeFirst() }) {
            group = next
            do {
                try repairing { try append(next) }
            } catch {
                if file.fault(of: error) == .full, releaseUnverified() { continue }
                noteFailure(error)
                // Saving cursors frees space and needs less of it than records.
                try? saveSinks()
                break
            }
            group = nil
            next.noteCommit()
            noteSuccess()
            hasCommitted = true
        }
        if savingSinks, group == nil { saveSinksAlone() }
        noteAttempt()
        guard hasCommitted else { return }
        let now = clock.now()
        inbox.withLock { $0.pace.noteCommit(at: now) }
        enforceBufferLimits()
        announceCommit()
    }

    private func append(_ group: WaitingRecords.Group) throws {
        let place = JournalPlace(
            first: account.ingest.published, position: end.position, time: time.now())
        try file.append(
            group.lines, addition: group.addition, at: place, saving: unsavedAccounts)
        unsavedSinks.removeAll()
        account.ingest.add(group.addition)
        guard !group.lines.isEmpty else { return }
        tail.append(group.lines, at: place)
        discardDelivered()
        end.first = account.ingest.published
        end.position += Int64(group.lines.bytes.count)
        end.time = place.time
        lastPlace = place
        for name in positions.keys where positions[name]?.oldest == nil {
            positions[name]?.oldest = place
        }
    }

    private var unsavedAccounts: [String: Ledger.Sink] {
        unsavedSinks.isEmpty ? [:] : account.sinks.filter { unsavedSinks.contains($0.key) }
    }

    /// Saves the changed cursors.
    func saveSinks() throws {
        guard !unsavedSinks.isEmpty else { return }
        try repairing { try file.save(unsavedAccounts) }
        unsavedSinks.removeAll()
    }

    /// Saves the changed cursors, or notes the failure.
    func saveSinksAlone() {
        guard !unsavedSinks.isEmpty else { return }
        do {
            try saveSinks()
            noteSuccess()
        } catch {
            noteFailure(error)
        }
    }

    private func noteFailure(_ error: any Error) {
        if failure == nil {
            log.error("cannot write; retrying", ["reason": "\(error)"])
        }
        failure = "\(error)"
        inbox.withLock { $0.isFailing = true }
        fault = file.fault(of: error)
        requestCommit()
    }

    private func noteSuccess() {
        if failure != nil {
            inbox.withLock { $0.isFailing = false }
            log.info("recovered")
            failure = nil
            fault = nil
        }
        let discarded = inbox.withLock { $0.endOverflow() }
        guard discarded > 0 else { return }
        log.warning("space is available again", ["discarded": "\(discarded)"])
    }

    /// Logs that records are discarded: sources that cannot wait are never blocked by a disk.
    nonisolated func logOverflow(_ cause: Inbox.OverflowCause) {
        switch cause {
        case .disk:
            log.error(
                "journal cannot be written and its memory buffer is full; discarding oldest records"
            )
        case .throughput:
            log.error(
                "journal is too slow and its memory buffer is full; discarding oldest records")
        }
    }

    /// The number of records that are not committed yet.
    var waitingCount: Int64 {
        Int64(group?.lines.count ?? 0) + inbox.withLock { $0.waiting.count }
    }

    /// Discards the records that could not be committed before the end.
    func discardPending() {
        let count = waitingCount
        var discarded = Ledger.Ingest()
        while let next = group ?? inbox.withLock({ $0.waiting.takeFirst() }) {
            group = nil
            next.noteLoss()
            var addition = next.addition
            addition.discardPublished()
            discarded.add(addition)
        }
        guard discarded != Ledger.Ingest() else { return }
        saveDiscarded(discarded)
        account.ingest.add(discarded)
        guard count > 0 else { return }
        log.error(
            "records discarded: the journal could not be written", ["records": "\(count)"])
    }

    /// Counts the records that arrived after the journal was closed.
    func discardLate() {
        var late = inbox.withLock { inbox in
            defer { inbox.late = Ledger.Ingest() }
            return inbox.late
        }
        guard late != Ledger.Ingest() else { return }
        let count = late.published
        late.discardPublished()
        saveDiscarded(late)
        account.ingest.add(late)
        guard count > 0 else { return }
        log.error(
            "records discarded: the journal was closed", ["records": "\(count)"])
    }

    /// Saves the counts only: they need little space, so this may work on a full disk.
    private func saveDiscarded(_ addition: Ledger.Ingest) {
        do {
            try file.append(
                RecordLines([]), addition: addition, at: end, saving: unsavedAccounts)
            unsavedSinks.removeAll()
        } catch {
            log.error(
                "cannot save the number of discarded records", ["reason": "\(error)"])
        }
    }

    /// Performs a file operation; if the file is corrupt, repairs it and tries once more.
    func repairing<Result>(_ operation: () throws -> Result) throws -> Result {
        do {
            return try operation()
        } catch {
            guard file.fault(of: error) == .damaged else { throw error }
            try repair(after: error)
            return try operation()
        }
    }

    private func repair(after error: any Error) throws {
        if let nextRepair, clock.now() < nextRepair { throw repairFailure ?? error }
        nextRepair = clock.now().adding(seconds: Self.repairPauseSeconds)
        do {
            guard let damage = try file.repair(keeping: account) else { throw error }
            repairFailure = nil
            // No corrupt file was moved aside, so no space was used.
            if damage.movedTo == nil { nextRepair = nil }
            self.damage = damage
            log.error("repaired the corrupt journal", ["details": "\(damage)"])
        } catch {
            repairFailure = error
            throw error
        }
    }

    /// Checks at the end that the pending records are where the next run will find them.
    func checkLocation() {
        do {
            try repairing { try file.checkLocation() }
        } catch {
            let pending = account.ingest.published - account.minimumCursor
            log.error(
                "the journal was moved or removed; pending records exist only in that file",
                ["records": "\(pending)", "reason": "\(error)"])
        }
    }

    /// The minimum time between repairs in seconds, so that a failing disk is not filled with
    /// corrupt files.
    static let repairPauseSeconds = 60.0
}
