import Platform

/// What a sink has stored but not verified stays in the journal, within limits.
extension Journal {
    /// The maximum time for which records are kept that a sink has not verified, in seconds.
    static let unverifiedSeconds = 7 * 86_400.0

    /// Returns whether a sink has stored records that it has not verified.
    package func hasUnverified(_ sink: String) -> Bool { account.sinks[sink]?.unverified != nil }

    /// Notes that a sink has verified everything up to its cursor.
    package func noteVerified(_ sink: String, account number: Int? = nil) {
        guard number == nil || number == accountNumber(of: sink), !isFinished else { return }
        stopKeeping(for: sink)
    }

    /// Moves a sink's cursor back to the first record that it has not verified, because its store
    /// was opened again.
    ///
    /// - Parameter missing: The number of stored records that the store lacks, at most.
    package func redeliver(
        to sink: String, missing: Int64, account number: Int? = nil
    ) -> Redelivery {
        guard number == nil || number == accountNumber(of: sink), !isFinished,
            var entry = account.sinks[sink]
        else { return Redelivery() }
        let result = entry.redeliver(missing: missing)
        positions[sink]?.unverified = nil
        if missing > 0, result != Redelivery() { positions[sink]?.restored = result }
        guard entry != account.sinks[sink] else { return result }
        account.sinks[sink] = entry
        positions[sink]?.droppedTo = nil
        noteMove(of: sink)
        return result
    }

    /// Keeps what a sink is about to have stored.
    func keep(for sink: String) {
        account.sinks[sink]?.keep()
        let extent = extent(of: sink)
        positions[sink]?.unverified = extent
    }

    /// Keeps nothing of what a sink has stored.
    func stopKeeping(for sink: String) {
        positions[sink]?.unverified = nil
        guard account.sinks[sink]?.unverified != nil else { return }
        account.sinks[sink]?.unverified = nil
        noteUnsaved(sink)
    }

    /// Releases kept records that are beyond the limits.
    func limitUnverified(of sink: String) {
        guard var extent = extent(of: sink), let entry = account.sinks[sink],
            let place = place(of: sink), let buffer = positions[sink]?.limit
        else { return }
        let bytes = min(file.unverifiedBytes, buffer.bytes / 16)
        let seconds = min(buffer.seconds ?? .infinity, Self.unverifiedSeconds)
        let limit = UnverifiedExtent.Limit(bytes: bytes) { [time] in
            time.age(of: $0) > seconds
        }
        let released = extent.note(.init(place: place, account: entry), within: limit)
        positions[sink]?.unverified = extent
        guard let released else { return }
        account.sinks[sink]?.release(upTo: released.account)
        noteUnsaved(sink)
    }

    /// Releases the oldest kept records, because there is no space for new ones in the journal or a store.
    ///
    /// Records that another sink has yet to get stay in the file in any case: they stay kept, too. The sinks
    /// are asked to verify at once what was released.
    ///
    /// - Returns: Whether that frees space.
    @discardableResult
    package func releaseUnverified() -> Bool {
        let oldest = account.removableCursor
        guard oldest < account.minimumCursor, !isFinished else { return false }
        for (name, entry) in account.sinks where entry.unverified?.cursor == oldest {
            account.sinks[name]?.release(upTo: entry)
            positions[name]?.unverified = nil
            positions[name]?.isVerificationWanted = true
            noteUnsaved(name)
            noteRelease(of: entry.keptCount, for: name)
            hasten(name, upTo: account.ingest.published)
        }
        // This frees the space. Without any, a failure is noted with the next commit.
        try? saveSinks()
        signals.notify()
        return true
    }

    /// Returns whether a sink should verify at once what it has stored.
    package func isVerificationWanted(_ sink: String) -> Bool {
        positions[sink]?.isVerificationWanted ?? false
    }

    /// Returns the same, once for each release.
    package func takeVerificationRequest(_ sink: String) -> Bool {
        defer { positions[sink]?.isVerificationWanted = false }
        return isVerificationWanted(sink)
    }

    private func noteRelease(of count: Int64, for sink: String) {
        guard count > 0, var releases = positions[sink]?.releases else { return }
        let isDue = releases.note(count, at: clock.now())
        positions[sink]?.releases = releases
        guard isDue else { return }
        log.warning(
            "no space: stored records are no longer kept until they are verified",
            ["sink": sink, "records": "\(releases.count)"])
    }

    /// The extent of what is kept for a sink; nil if nothing is.
    ///
    /// The account alone survives a restart and a change of the store.
    private func extent(of sink: String) -> UnverifiedExtent? {
        if let extent = positions[sink]?.unverified { return extent }
        guard let entry = account.sinks[sink], let kept = entry.unverified else { return nil }
        let place =
            kept.cursor == entry.cursor ? place(of: sink) : try? place(after: kept.cursor)
        return place.map(UnverifiedExtent.init)
    }

    /// The place of the next record for a sink.
    private func place(of sink: String) -> JournalPlace? {
        positions[sink].map { position in
            position.oldest
                ?? JournalPlace(first: end.first, position: end.position, time: time.now())
        }
    }
}
