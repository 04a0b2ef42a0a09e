import Platform

extension DeliveryAttempt {
    /// Asks a sink that verifies what it has stored.
    ///
    /// - Returns: False if records before the present batch must be delivered again.
    func verify() async throws -> Bool {
        guard let sink = runner.sink as? any VerifyingSink else { return true }
        runner.health.write(since: runner.clock.now())
        defer { runner.health.write(since: nil) }
        switch try await sink.verify(isAtEnd: false) {
        case .unverified: return true
        case .verified:
            await runner.journal.noteVerified(runner.name, account: account)
            return true
        case .opened(let isNew):
            let redelivery = await runner.journal.redeliver(
                to: runner.name, isNew: isNew, account: account)
            log(redelivery, isNew: isNew)
            return redelivery.records == 0
        }
    }

    private func log(_ redelivery: Redelivery, isNew: Bool) {
        guard redelivery != Redelivery() else { return }
        guard isNew else {
            return runner.log.info(
                "delivering again what was not verified", ["records": "\(redelivery.records)"])
        }
        runner.log.warning(
            "the store is new; delivering again what was not verified in the earlier one",
            [
                "records": "\(redelivery.records)", "lost": "\(redelivery.lost)",
                "onlyInEarlier": "\(redelivery.verified)",
            ])
    }
}

extension SinkRunner {
    /// Asks a sink at the start about what it did not verify in the last run.
    ///
    /// Without an answer, for example while the store is damaged, it is asked before the next batch.
    func verifyAtStart(_ delivery: DeliveryAttempt) async {
        guard await journal.hasUnverified(name) else { return }
        _ = try? await delivery.verify()
    }

    /// Verifies what is stored after the last batch, so that the next run need not deliver it again.
    func verifyAtEnd(account: Int?) async {
        guard let sink = sink as? any VerifyingSink,
            (try? await sink.verify(isAtEnd: true)) == .verified
        else { return }
        await journal.noteVerified(name, account: account)
    }
}
