import Platform

extension Journal {
    /// Whether a sink with the policy `block` exceeds its buffer limit.
    var isBlocked: Bool {
        positions.values.contains { position in
            position.limit.whenFull == .block && position.exceedsLimit(at: end, time)
        }
    }

    /// Drops the oldest records of sinks that exceed their buffer limits.
    func enforceBufferLimits() {
        for name in positions.keys { limitUnverified(of: name) }
        for (name, position) in positions
        where position.limit.whenFull == .dropOldest && position.exceedsLimit(at: end, time) {
            do {
                try drop(for: name, within: position.bound(at: end, time))
            } catch {
                log.debug("cannot drop records", ["sink": name, "reason": "\(error)"])
            }
        }
    }

    /// Drops records that are out of bounds; the newest batch is never dropped, whatever its size.
    private func drop(for sink: String, within bound: JournalBound) throws {
        guard let cursor = account.sinks[sink]?.cursor else { return }
        let newest = lastPlace?.first ?? account.ingest.published
        let within = try repairing { try file.place(after: cursor, within: bound) }
        let target = min(within?.first ?? newest, newest)
        guard target > cursor else { return }
        var outcome = Ledger.Outcome()
        outcome.dropped = target - cursor
        move(sink, to: target, adding: outcome)
        positions[sink]?.droppedTo = target
        noteDrop(outcome.dropped, of: sink)
    }

    private func noteDrop(_ count: Int64, of sink: String) {
        var episode = positions[sink]?.drops ?? LossEpisode()
        let isDue = episode.note(count, at: clock.now())
        positions[sink]?.drops = episode
        guard isDue else { return }
        log.warning(
            "sink buffer is full; dropping oldest records",
            ["sink": sink, "records": "\(episode.count)"])
    }

    func endEpisode(of sink: String) {
        guard let position = positions[sink], let episode = position.drops,
            position.keepsUp(at: end)
        else { return }
        positions[sink]?.drops = nil
        log.info(
            "sink caught up", ["sink": sink, "dropped": "\(episode.count)"])
    }

    /// Returns a sink's lag.
    func lag(of sink: String) -> SinkLag {
        var lag = SinkLag()
        lag.records = account.pending(for: sink)
        guard lag.records > 0, let oldest = positions[sink]?.oldest else { return lag }
        lag.bytes = end.position - oldest.position
        lag.seconds = time.age(of: oldest)
        return lag
    }

    /// The status of the journal.
    package var status: JournalStatus {
        JournalStatus(
            ledger: account, waiting: waitingCount, failure: failure, isFull: fault == .full,
            isInMemory: isVolatile, bytes: file.size, damage: damage?.description,
            lags: Dictionary(uniqueKeysWithValues: positions.keys.map { ($0, lag(of: $0)) }),
            restored: positions.compactMapValues(\.restored))
    }

    /// Ends the ledger: late records are counted as not accepted, and undelivered records of a
    /// volatile journal as lost.
    public func finish() {
        defer { deliveries.end() }
        saveSinksAlone()
        checkLocation()
        discardLate()
        file.close()
        guard isVolatile, !isFinished else { return }
        isFinished = true
        for name in account.sinks.keys.sorted() {
            let pending = account.pending(for: name)
            guard pending > 0 else { continue }
            log.error(
                "records lost: the journal is in memory and the sink did not store them",
                ["sink": name, "records": "\(pending)"])
            account.sinks[name]?.outcome.lost += pending
            account.sinks[name]?.cursor += pending
        }
    }
}
