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
        case .unverified:
            await verifyReleased(by: sink)
            return true
        case .verified:
            await runner.journal.noteVerified(runner.name, account: account)
            return true
        case .full:
            await runner.journal.releaseUnverified()
            return true
        case .opened(let content):
            let redelivery = await runner.journal.redeliver(
                to: runner.name, missing: content.missing, account: account)
            log(redelivery, content)
            return redelivery.records == 0
        }
    }

    /// Lets a sink verify at once what the journal no longer keeps.
    private func verifyReleased(by sink: any VerifyingSink) async {
        guard await runner.journal.takeVerificationRequest(runner.name),
            (try? await sink.verify(isAtEnd: true)) == .verified
        else { return }
        await runner.journal.noteVerified(runner.name, account: account)
    }

    private func log(_ redelivery: Redelivery, _ content: StoreContent) {
        guard redelivery != Redelivery() else { return }
        let fields: KeyValuePairs = [
            "records": "\(redelivery.records)", "lost": "\(redelivery.lost)",
            "onlyInEarlier": "\(redelivery.verified)",
        ]
        switch content {
        case .everything:
            runner.log.info(
                "delivering again what was not verified", ["records": "\(redelivery.records)"])
        case .earlier:
            runner.log.warning(
                "the store is an earlier state; delivering again what was not verified", fields)
        case .nothing:
            runner.log.warning(
                "the store is new; delivering again what was not verified in the earlier one",
                fields)
        }
    }
}

extension StoreContent {
    /// The number of stored records that are missing, at most.
    fileprivate var missing: Int64 {
        switch self {
        case .nothing: .max
        case .earlier(let missing): missing
        case .everything: 0
        }
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

    /// Verifies what was released while the sink has no batch to write.
    func verifyReleased(_ delivery: DeliveryAttempt) async {
        guard await journal.isVerificationWanted(name) else { return }
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
