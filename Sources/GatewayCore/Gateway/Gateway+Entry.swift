package import HealthModel

/// The result of ingesting records that do not come from a source.
package enum Acceptance: Equatable, Sendable {
    /// The records are committed and will be delivered to each sink.
    case accepted
    /// The records wait in memory because the journal cannot be written.
    case waiting(reason: String)
    /// A different record has the same id.
    case duplicateID
    /// The gateway is stopping; the result is unknown.
    case stopping
}

extension Gateway {
    /// Ingests samples that do not come from a source, such as manually entered ones.
    ///
    /// The guarantees are those for records.
    package func ingest(_ samples: [QuantitySample]) async -> Acceptance {
        await ingest(samples.map(Record.sample))
    }

    /// Ingests records that do not come from a source, such as a finished workout.
    ///
    /// Returns when they are committed or the commit failed. A record that was ingested recently is
    /// ignored, so that a client without an answer can repeat its request.
    ///
    /// - Parameter mayKnow: Whether the client may know that a record exists. One with the id of a
    ///   record that it may not know is ignored, too, so that the answer does not reveal the record.
    package func ingest(
        _ records: [Record], mayKnow: (Record) -> Bool = { _ in true }
    ) async -> Acceptance {
        await waitUntilRunning()
        guard isRunning else { return .stopping }
        var new: [Record] = []
        var seen: [RecordID: Record] = [:]
        for record in records {
            if let other = seen[record.id] {
                guard other == record else { return .duplicateID }
            } else if let known = entries[record.id] {
                guard known == record || !mayKnow(known) else { return .duplicateID }
                // The answer must not come before the journal has it, which another task still sees to.
                if known == record, publishing.contains(record.id) { new.append(record) }
            } else {
                new.append(record)
            }
            seen[record.id] = record
        }
        for record in new {
            entries.note(record)
            publishing.insert(record.id)
        }
        await pipeline.publish(new)
        for record in new { publishing.remove(record.id) }
        return await journal.commitNow()
    }
}

extension Journal {
    /// Commits pending records immediately.
    func commitNow() -> Acceptance {
        guard !isAtEnd else { return .stopping }
        commit()
        return failure.map { .waiting(reason: $0) } ?? .accepted
    }
}

/// The most recent ingested records, by id.
struct RecentEntries: Sendable {
    /// The maximum number of records.
    static let limit = 1_000

    private var records: [RecordID: Record] = [:]
    private var order: [RecordID] = []
    private var next = 0

    /// The record with this id; nil if there is none.
    subscript(id: RecordID) -> Record? { records[id] }

    /// Adds a record and removes the oldest one above the limit.
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
