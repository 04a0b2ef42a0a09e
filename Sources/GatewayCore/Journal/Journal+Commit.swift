import Platform
import Synchronization

extension Journal {
    /// Commits what waits, group by group, as far as the disk takes it.
    ///
    /// How far sinks have come is saved with it; when nothing waits, only if that is wanted.
    package func commit(savingSinks: Bool = false) {
        var hasCommitted = false
        while let next = group ?? inbox.withLock({ $0.waiting.takeFirst() }) {
            group = next
            do {
                try repairing { try append(next) }
            } catch {
                noteFailure(error)
                // What sinks have dealt with makes room, and needs less of it.
                try? saveSinks()
                break
            }
            group = nil
            noteSuccess()
            hasCommitted = true
        }
        if savingSinks, group == nil { saveSinksAlone() }
        guard hasCommitted else { return }
        dropWhatIsTooOld()
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

    /// Saves how far sinks have come.
    func saveSinks() throws {
        guard !unsavedSinks.isEmpty else { return }
        try repairing { try file.save(unsavedAccounts) }
        unsavedSinks.removeAll()
    }

    /// Saves how far sinks have come, or says why that is not possible.
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
            log.error("cannot write; trying again", ["reason": "\(error)"])
        }
        failure = "\(error)"
        inbox.withLock { $0.isFailing = true }
        fault = file.fault(of: error)
        askForWork()
    }

    private func noteSuccess() {
        if failure != nil {
            inbox.withLock { $0.isFailing = false }
            log.info("writing again")
            failure = nil
            fault = nil
        }
        let givenUp = inbox.withLock { $0.endGivingUp() }
        guard givenUp > 0 else { return }
        log.warning("there is room again", ["records given up": "\(givenUp)"])
    }

    /// Sources that cannot wait are not held up by a disk.
    nonisolated func sayGivenUp(_ lack: Inbox.Lack) {
        switch lack {
        case .disk:
            log.error(
                "the journal cannot be written, and too much waits; "
                    + "the oldest records are given up until it can")
        case .pace:
            log.error(
                "the journal is not written as quickly as records come, and too much waits; "
                    + "the oldest records are given up until it keeps up")
        }
    }

    /// How many records wait for their commit.
    var waitingCount: Int64 {
        Int64(group?.lines.count ?? 0) + inbox.withLock { $0.waiting.count }
    }

    /// Gives up what could not be committed before the end.
    func giveUpWaiting() {
        let count = waitingCount
        var givenUp = Ledger.Ingest()
        while let next = group ?? inbox.withLock({ $0.waiting.takeFirst() }) {
            group = nil
            var addition = next.addition
            addition.giveUpPublished()
            givenUp.add(addition)
        }
        guard givenUp != Ledger.Ingest() else { return }
        saveGivenUp(givenUp)
        account.ingest.add(givenUp)
        guard count > 0 else { return }
        log.error(
            "not accepted, because the journal could not be written", ["records": "\(count)"])
    }

    /// Counts what came after the journal was closed.
    func giveUpLate() {
        var late = inbox.withLock { inbox in
            defer { inbox.late = Ledger.Ingest() }
            return inbox.late
        }
        guard late != Ledger.Ingest() else { return }
        let count = late.published
        late.giveUpPublished()
        saveGivenUp(late)
        account.ingest.add(late)
        guard count > 0 else { return }
        log.error(
            "not accepted, because it came when the journal was closed", ["records": "\(count)"])
    }

    /// Counts without records need hardly any room, so that they may be taken where records were not.
    private func saveGivenUp(_ addition: Ledger.Ingest) {
        do {
            try file.append(
                RecordLines([]), addition: addition, at: end, saving: unsavedAccounts)
            unsavedSinks.removeAll()
        } catch {
            log.error(
                "the next run will not know of what was not accepted", ["reason": "\(error)"])
        }
    }

    /// Does something with the file; when the file is damaged it is mended first, and then done again.
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
            // Nothing was put aside, so that no room was taken.
            if damage.movedTo == nil { nextRepair = nil }
            self.damage = damage
            log.error("the journal was damaged", ["what": "\(damage)"])
        } catch {
            repairFailure = error
            throw error
        }
    }

    /// At the end what waits must be where the next run looks for it.
    func checkPlace() {
        do {
            try repairing { try file.checkPlace() }
        } catch {
            let pending = account.ingest.published - account.doneByAll
            log.error(
                "what waits is only in the journal that was removed or moved, and lost if that is not kept",
                ["records": "\(pending)", "reason": "\(error)"])
        }
    }

    /// How long after a repair there is none, in seconds: a disk that damages everything is not written
    /// full with damaged files, and one that is full not with new ones that do not fit.
    static let repairPauseSeconds = 60.0
}
