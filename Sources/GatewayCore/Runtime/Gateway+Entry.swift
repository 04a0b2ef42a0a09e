package import HealthModel

/// What became of records that no source has made.
package enum Acceptance: Equatable, Sendable {
    /// They are committed, and each sink gets them.
    case accepted
    /// They wait in memory, because the journal cannot be written now.
    case waiting(reason: String)
    /// Another sample has the id of one of them.
    case taken
    /// The gateway is stopping; nobody can say.
    case stopping
}

extension Gateway {
    /// Takes samples that no source has made, as those that a person has entered.
    ///
    /// It returns when they are committed, or cannot be now. One that was just taken already is not taken
    /// again: who did not get the answer asks twice.
    package func take(_ samples: [QuantitySample]) async -> Acceptance {
        await waitForBegin()
        guard isRunning else { return .stopping }
        var new: [QuantitySample] = []
        for sample in samples {
            switch entries[sample.id] {
            case nil: new.append(sample)
            case sample: continue
            default: return .taken
            }
        }
        for sample in new { entries.note(sample) }
        await intake.publish(new)
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

/// The samples that were entered last, by their ids.
struct RecentEntries: Sendable {
    /// So many are remembered.
    static let limit = 1_000

    private var samples: [RecordID: QuantitySample] = [:]
    private var order: [RecordID] = []
    private var next = 0

    /// The sample of this id; nil when none is remembered.
    subscript(id: RecordID) -> QuantitySample? { samples[id] }

    /// Remembers a sample, and forgets the oldest one when there are too many.
    mutating func note(_ sample: QuantitySample) {
        samples[sample.id] = sample
        if order.count < Self.limit {
            order.append(sample.id)
        } else {
            samples[order[next]] = nil
            order[next] = sample.id
            next = (next + 1) % Self.limit
        }
    }
}
