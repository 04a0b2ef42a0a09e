package import HealthModel

/// What became of records that no source has made.
package enum Acceptance: Equatable, Sendable {
    /// They are committed, and each sink gets them.
    case accepted
    /// They wait in memory, because the journal cannot be written now.
    case waiting(reason: String)
    /// The gateway is stopping; nobody can say.
    case stopping
}

extension Gateway {
    /// Takes samples that no source has made, as those that a person has entered.
    ///
    /// It returns when they are committed, or cannot be now.
    package func take(_ samples: [QuantitySample]) async -> Acceptance {
        await waitForBegin()
        guard isRunning else { return .stopping }
        await intake.publish(samples)
        return await journal.commitNow()
    }
}

extension Journal {
    /// Commits what waits without waiting for more.
    func commitNow() -> Acceptance {
        guard !isAtEnd else { return .stopping }
        commit()
        return failure.map { .waiting(reason: $0) } ?? .accepted
    }
}
