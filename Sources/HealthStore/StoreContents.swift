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
    /// The samples of each correlation: later versions of its own may have replaced these.
    private var members: [RecordID: [Key]] = [:]
    private var versions: [RecordVersion.Key: (key: Key, number: Double)] = [:]
    private var deletedIDs: Set<RecordID> = []
    private var characteristics: [String: Characteristics] = [:]
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

    // MARK: People

    /// The characteristics of a person; nil for a name that the store has never seen.
    func characteristics(of person: String) -> Characteristics? { characteristics[person] }

    mutating func set(_ new: Characteristics, of person: String) { characteristics[person] = new }

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
        if case .deletion(let deleted) = record { return save(deleted) }
        guard !isDeleted(record) else { return .deletedBefore }
        return insert(record)
    }

    private mutating func save(_ deleted: DeletedRecord) -> SaveResult {
        // Not noted: when the other store has the record again, it follows its deletion.
        if deleted.store != store { _ = delete([deleted.id], isNoted: false) }
        return .deleted
    }

    private mutating func insert(_ record: Record) -> SaveResult {
        let key = Key(record)
        guard records[key] == nil else { return .alreadyStored }
        let version = RecordVersion(record)
        let earlier = version.flatMap { versions[$0.key] }
        if let version, let earlier, earlier.number >= version.number { return .olderVersion }
        if case .correlation(let correlation) = record {
            guard correlation.samples.allSatisfy({ canHave($0, correlation) }) else {
                return .memberConflict
            }
        }
        add(record)
        if let version { versions[version.key] = (key, version.number) }
        if case .correlation(let correlation) = record { insertMembers(of: correlation) }
        if let earlier { replace(earlier.key, by: key) }
        return .stored
    }

    private mutating func add(_ record: Record) {
        let key = Key(record)
        log.append(.added(key))
        records[key] = (record, lastNumber)
        guard let person = record.person, characteristics[person] == nil else { return }
        characteristics[person] = Characteristics()
    }

    // MARK: Correlations

    /// The stored sample that a member of a new correlation stands for: itself, or a later version.
    private func stored(_ member: Correlation.Member) -> Key? {
        let key = Key(member.record)
        guard records[key] == nil else { return key }
        guard let version = RecordVersion(member.record), let known = versions[version.key],
            known.number >= version.number
        else { return nil }
        return known.key
    }

    private func canHave(_ member: Correlation.Member, _ correlation: Correlation) -> Bool {
        guard let key = stored(member), let kind = key.kind, let known = records[key]?.record else {
            return true
        }
        return known.typeName == member.typeName
            && (known.person ?? correlation.person) == correlation.person
            && (key.id == member.id || correlation.hasPlace(for: key.id, kind))
    }

    private mutating func insertMembers(of correlation: Correlation) {
        members[correlation.id] = []
        for member in correlation.samples {
            _ = insert(member.record)
            guard let key = stored(member) else { continue }
            link(key, to: correlation.id)
        }
    }

    private mutating func link(_ member: Key, to correlation: RecordID) {
        correlations[member, default: []].insert(correlation)
        guard members[correlation]?.contains(member) == false else { return }
        members[correlation]?.append(member)
    }

    /// Whether a later version of a member has its place in a correlation.
    private func hasPlace(for new: Key, in correlation: RecordID) -> Bool {
        new.id != correlation
            && members[correlation]?.contains { $0.id == new.id && $0.kind != new.kind } == false
    }

    /// Removes an earlier version of a record; a later version of a sample takes its place in correlations.
    private mutating func replace(_ earlier: Key, by new: Key) {
        for id in correlations[earlier] ?? [] where hasPlace(for: new, in: id) {
            correlations[earlier]?.remove(id)
            members[id]?.removeAll { $0 == earlier }
            link(new, to: id)
            let correlation = Key(kind: .correlation, id: id)
            guard let record = records[correlation]?.record else { continue }
            add(record)
        }
        delete(earlier, false)
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
        remove(key, record)
        if isNoted {
            deletedIDs.insert(key.id)
            if case .workout(let workout) = record, let id = workout.firstID {
                deletedIDs.insert(id)
            }
        }
        for id in correlations.removeValue(forKey: key) ?? [] {
            delete(Key(kind: .correlation, id: id), isNoted)
        }
        guard case .correlation = record else { return }
        for member in members.removeValue(forKey: key.id) ?? [] {
            correlations[member]?.remove(key.id)
            // A sample of another correlation too remains.
            if correlations[member]?.isEmpty ?? false { delete(member, isNoted) }
        }
    }

    private mutating func remove(_ key: Key, _ record: Record) {
        records[key] = nil
        log.append(.removed(key))
        guard let version = RecordVersion(record), versions[version.key]?.key == key else { return }
        versions[version.key] = nil
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

    /// A correlation with its members as they are stored: they may have been stored before it, or
    /// replaced since.
    private func whole(_ record: Record) -> Record {
        guard case .correlation(let correlation) = record else { return record }
        let samples = (members[correlation.id] ?? []).compactMap { key -> Correlation.Member? in
            switch records[key]?.record {
            case .sample(let sample)?: .quantity(sample)
            case .category(let sample)?: .category(sample)
            default: nil
            }
        }
        let stored = try? Correlation(
            withoutLengthLimit: correlation.id, type: correlation.type, start: correlation.start,
            end: correlation.end, samples: samples, person: correlation.person,
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

extension Workout {
    /// The id of its first version, which is the identifier of all.
    fileprivate var firstID: RecordID? { RecordID(uuidString: identifier) }
}
