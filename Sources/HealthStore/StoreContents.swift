import HealthModel

/// The records of a store in memory, and the log of its changes.
struct StoreContents {
    /// Records of different kinds may have the same id.
    struct Key: Hashable {
        /// Nil for a deletion, which is never stored.
        let kind: RecordKind?
        let id: RecordID
    }

    private enum Change {
        case added(Key)
        case removed(Key)
    }

    private var records: [Key: (record: Record, number: Int64)] = [:]
    private var log: [Change] = []
    /// The correlations of each sample.
    private var correlations: [Key: Set<RecordID>] = [:]
    private var deletedIDs: Set<RecordID> = []
    private let store = UInt64.random(in: .min ... .max)

    /// The number of the last change.
    var lastNumber: Int64 { Int64(log.count) }

    /// The anchor of the present state.
    var anchor: StoreAnchor { StoreAnchor(store: store, number: lastNumber) }

    /// All records, in the order of their storage.
    var all: [Record] {
        records.values.sorted { $0.number < $1.number }.map { whole($0.record) }
    }

    /// The workouts with these ids.
    func workouts(_ ids: Set<RecordID>) -> [RecordID: Workout] {
        var workouts: [RecordID: Workout] = [:]
        for id in ids {
            guard case .workout(let workout) = records[Key(kind: .workout, id: id)]?.record else {
                continue
            }
            workouts[id] = workout
        }
        return workouts
    }

    /// The samples of a type and a person, or of all people, oldest first.
    func samples(of type: QuantityType, _ person: String?) -> [QuantitySample] {
        all.compactMap { record -> QuantitySample? in
            guard case .sample(let sample) = record, sample.type == type,
                person == nil || sample.person == person
            else { return nil }
            return sample
        }.sorted { $0.start < $1.start }
    }

    // MARK: Saving

    /// Whether a record, or a member of it, was deleted.
    private func isDeleted(_ record: Record) -> Bool {
        if case .deletion = record { return false }
        var ids = [record.id]
        if case .correlation(let correlation) = record { ids += correlation.samples.map(\.id) }
        if case .workout(let workout) = record { ids += [workout.firstID].compactMap(\.self) }
        return !deletedIDs.isDisjoint(with: ids)
    }

    mutating func save(_ record: Record) -> SaveResult {
        guard !isDeleted(record) else { return .deletedBefore }
        guard records[Key(record)] == nil else { return .alreadyStored }
        switch record {
        case .workout(let workout): return save(workout)
        case .correlation(let correlation): return save(correlation)
        case .deletion(let deleted): return save(deleted)
        case .sample, .category, .event:
            add(record)
            return .stored
        }
    }

    private mutating func save(_ workout: Workout) -> SaveResult {
        let known = records.values.compactMap { stored -> Workout? in
            guard case .workout(let other) = stored.record,
                other.identifier == workout.identifier, other.person == workout.person,
                other.start <= workout.end, other.end >= workout.start
            else { return nil }
            return other
        }
        guard known.allSatisfy({ $0.version < workout.version }) else { return .olderVersion }
        add(.workout(workout))
        for other in known { remove(Key(kind: .workout, id: other.id)) }
        return .stored
    }

    private mutating func save(_ correlation: Correlation) -> SaveResult {
        let members = correlation.samples.map { ($0, Key($0.record)) }
        for (member, key) in members {
            guard records[key].map({ $0.record.typeName == member.typeName }) ?? true else {
                return .memberConflict
            }
        }
        add(.correlation(correlation))
        for (member, key) in members {
            if records[key] == nil { add(member.record) }
            correlations[key, default: []].insert(correlation.id)
        }
        return .stored
    }

    private mutating func save(_ deleted: DeletedRecord) -> SaveResult {
        // Not noted: when the other store has the record again, it follows its deletion.
        if deleted.store != store { _ = delete([deleted.id], isNoted: false) }
        return .deleted
    }

    private mutating func add(_ record: Record) {
        let key = Key(record)
        log.append(.added(key))
        records[key] = (record, lastNumber)
    }

    // MARK: Deleting

    /// Deletes records and what goes with them; returns how many.
    mutating func delete(_ ids: Set<RecordID>, isNoted: Bool = true) -> Int {
        let count = records.count
        for id in ids {
            for kind in RecordKind.allCases { delete(Key(kind: kind, id: id), isNoted) }
        }
        return count - records.count
    }

    private mutating func delete(_ key: Key, _ isNoted: Bool) {
        guard let record = records[key]?.record else { return }
        remove(key)
        if isNoted {
            deletedIDs.insert(key.id)
            if case .workout(let workout) = record, let id = workout.firstID {
                deletedIDs.insert(id)
            }
        }
        for id in correlations.removeValue(forKey: key) ?? [] {
            delete(Key(kind: .correlation, id: id), isNoted)
        }
        guard case .correlation(let correlation) = record else { return }
        for member in correlation.samples.map({ Key($0.record) }) {
            correlations[member]?.remove(key.id)
            // A sample of another correlation too remains.
            if correlations[member]?.isEmpty ?? false { delete(member, isNoted) }
        }
    }

    private mutating func remove(_ key: Key) {
        guard records.removeValue(forKey: key) != nil else { return }
        log.append(.removed(key))
    }

    // MARK: Changes

    func changes(
        since anchor: StoreAnchor?, limit: Int
    ) throws(HealthStoreError) -> StoreChanges {
        let first = anchor ?? StoreAnchor(store: store, number: 0)
        guard first.store == store, first.number <= lastNumber else { throw .foreignAnchor }
        let end = first.number + min(Int64(limit), lastNumber - first.number)
        var changes = StoreChanges(
            added: [], removed: [], anchor: StoreAnchor(store: store, number: end),
            hasMore: end < lastNumber)
        for (change, number) in zip(log[Int(first.number)..<Int(end)], (first.number + 1)...) {
            switch change {
            case .added(let key):
                // One that was removed and stored again comes with its later change.
                guard let stored = records[key], stored.number == number else { continue }
                changes.added.append(whole(stored.record))
            case .removed(let key):
                if records[key] == nil { changes.removed.append(key.id) }
            }
        }
        return changes
    }

    /// A correlation with its members as they are stored: they may have been stored before it.
    private func whole(_ record: Record) -> Record {
        guard case .correlation(let correlation) = record else { return record }
        let members = correlation.samples.map { member -> Correlation.Member in
            switch records[Key(member.record)]?.record {
            case .sample(let sample)?: .quantity(sample)
            case .category(let sample)?: .category(sample)
            default: member
            }
        }
        let stored = try? Correlation(
            withoutLengthLimit: correlation.id, type: correlation.type, start: correlation.start,
            end: correlation.end, samples: members, person: correlation.person,
            device: correlation.device, source: correlation.source,
            metadata: correlation.metadata)
        return stored.map { .correlation($0) } ?? record
    }
}

extension StoreContents.Key {
    init(_ record: Record) {
        self.init(kind: RecordKind(record), id: record.id)
    }
}

extension Correlation.Member {
    /// The sample as a record.
    fileprivate var record: Record {
        switch self {
        case .quantity(let sample): .sample(sample)
        case .category(let sample): .category(sample)
        }
    }
}

extension Workout {
    /// The id of its first version, which is the identifier of all.
    fileprivate var firstID: RecordID? { RecordID(uuidString: identifier) }
}
