package import HealthModel

/// What became of records that no source has made.
package enum Acceptance: Equatable, Sendable {
    /// They are committed, and each sink gets them.
    case accepted
    /// They wait in memory, because the journal cannot be written now.
    case waiting(reason: String)
    /// Another record has the id of one of them.
    case taken
    /// The gateway is stopping; nobody can say.
    case stopping
}

extension Gateway {
    /// Takes samples that no source has made, as those that a person has entered.
    ///
    /// What it promises is what it promises of records.
    package func take(_ samples: [QuantitySample]) async -> Acceptance {
        await take(samples.map(Record.sample))
    }

    /// Takes records that no source has made, as a workout that has ended.
    ///
    /// It returns when they are committed, or cannot be now. One that was just taken already is not taken
    /// again: who did not get the answer asks twice.
    package func take(_ records: [Record]) async -> Acceptance {
        await waitForBegin()
        guard isRunning else { return .stopping }
        var new: [Record] = []
        var seen: [RecordID: Record] = [:]
        for record in records {
            switch entries[record.id] ?? seen[record.id] {
            case nil: new.append(record)
            case record: continue
            default: return .taken
            }
            seen[record.id] = record
        }
        for record in new { entries.note(record) }
        await pipeline.publish(new)
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

/// The records that were entered last, by their ids.
struct RecentEntries: Sendable {
    /// So many are remembered.
    static let limit = 1_000

    private var records: [RecordID: Record] = [:]
    private var order: [RecordID] = []
    private var next = 0

    /// The record of this id; nil when none is remembered.
    subscript(id: RecordID) -> Record? { records[id] }

    /// Remembers a record, and forgets the oldest one when there are too many.
    mutating func note(_ record: Record) {
        records[record.id] = record
        if order.count < Self.limit {
            order.append(record.id)
        } else {
            records[order[next]] = nil
            order[next] = record.id
            next = (next + 1) % Self.limit
        }
    }
}
