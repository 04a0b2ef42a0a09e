import Platform

extension Journal {
    /// Whether a sink that wants to be waited for lags too far.
    var isBlocked: Bool {
        positions.values.contains { position in
            position.limit.whenFull == .block && position.isTooFar(at: end, time)
        }
    }

    /// Lets the cursors of sinks that lag too far jump.
    func dropWhatIsTooOld() {
        for (name, position) in positions
        where position.limit.whenFull == .dropOldest && position.isTooFar(at: end, time) {
            do {
                try drop(for: name, within: position.bound(at: end, time))
            } catch {
                log.debug("cannot drop", ["sink": name, "reason": "\(error)"])
            }
        }
    }

    /// The newest batch is nobody's lag, however large it is.
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
        let mustSay = episode.note(count, at: clock.now())
        positions[sink]?.drops = episode
        guard mustSay else { return }
        log.warning(
            "a sink lags further than it may; its oldest records are dropped",
            ["sink": sink, "records": "\(episode.count)"])
    }

    func endEpisode(of sink: String) {
        guard let position = positions[sink], let episode = position.drops,
            position.keepsUp(at: end)
        else { return }
        positions[sink]?.drops = nil
        log.info(
            "a sink keeps up again", ["sink": sink, "records dropped": "\(episode.count)"])
    }

    /// How far a sink is behind.
    func lag(of sink: String) -> SinkLag {
        var lag = SinkLag()
        lag.records = account.pending(for: sink)
        guard lag.records > 0, let oldest = positions[sink]?.oldest else { return lag }
        lag.bytes = end.position - oldest.position
        lag.seconds = time.age(of: oldest)
        return lag
    }

    /// How the journal is doing.
    var status: JournalStatus {
        JournalStatus(
            ledger: account, waiting: waitingCount, failure: failure, isFull: fault == .full,
            isInMemory: file.isVolatile, bytes: file.size, damage: damage?.description,
            lags: Dictionary(uniqueKeysWithValues: positions.keys.map { ($0, lag(of: $0)) }))
    }

    /// Ends the account: what came after the end is not accepted, and of a journal that is gone with the
    /// process what no sink has taken is lost.
    public func finish() {
        defer { deliveries.end() }
        saveSinksAlone()
        checkPlace()
        giveUpLate()
        guard file.isVolatile, !isFinished else { return }
        isFinished = true
        for name in account.sinks.keys.sorted() {
            let pending = account.pending(for: name)
            guard pending > 0 else { continue }
            log.error(
                "the journal is in memory; what a sink has not taken is lost",
                ["sink": name, "records": "\(pending)"])
            account.sinks[name]?.outcome.lost += pending
            account.sinks[name]?.cursor += pending
        }
    }
}
