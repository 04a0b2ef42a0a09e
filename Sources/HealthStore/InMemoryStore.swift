public import HealthModel
public import HealthStatistics

/// A store in memory: for tests, and for a program that forgets its records when it ends.
///
/// It holds every record; a store of millions belongs in a file.
public actor InMemoryStore: HealthStore {
    private var contents = StoreContents()
    private var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastWatcher = 0

    /// Makes an empty store.
    public init() {}

    /// Saves all records or, when it throws, none; see ``HealthStore/save(_:)``.
    public func save(_ records: [Record]) -> [SaveResult] {
        let number = contents.lastNumber
        let results = records.map { contents.save($0) }
        if contents.lastNumber > number { wakeWatchers() }
        return results
    }

    /// Deletes records and returns how many, with those that go with them.
    public func delete(_ ids: Set<RecordID>) -> Int {
        let count = contents.delete(ids)
        if count > 0 { wakeWatchers() }
        return count
    }

    /// Returns the records that match a predicate, by their start.
    public func records(
        matching predicate: RecordPredicate, order: QueryOrder, limit: Int?
    ) -> [Record] {
        let workouts = contents.workouts(predicate.workoutIDs)
        let found = contents.all.filter { predicate.matches($0, workouts: workouts) }
        let sorted = found.sorted {
            order == .oldestFirst ? $0.span.start < $1.span.start : $0.span.start > $1.span.start
        }
        return Array(sorted.prefix(max(limit ?? .max, 0)))
    }

    /// Returns what was stored and removed since an anchor; nil for all records.
    public func changes(
        since anchor: StoreAnchor?, limit: Int
    ) throws(HealthStoreError) -> StoreChanges {
        try contents.changes(since: anchor, limit: max(limit, 1))
    }

    /// The anchor of the present state.
    public func currentAnchor() -> StoreAnchor { contents.anchor }

    /// A sequence with an element after each commit; see ``HealthStore/commits()``.
    public func commits() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastWatcher += 1
        let watcher = lastWatcher
        watchers[watcher] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.removeWatcher(watcher) }
        }
        return stream
    }

    /// Calculates the statistics of the samples of a type in each span.
    public func statistics(
        of type: QuantityType, in spans: [Range<Instant>], person: String?,
        options: StatisticsOptions
    ) throws(HealthStoreError) -> [Statistics] {
        guard !spans.isEmpty else { return [] }
        var collection = StatisticsCollection(type, spans: spans, options: options)
        // A value that is no number in the canonical unit is left out.
        for sample in contents.samples(of: type, person) { try? collection.add(sample) }
        do {
            return try collection.finish()
        } catch {
            throw .incalculable(type: type.name)
        }
    }

    /// The characteristics of a person; nil when the store knows no person with this name.
    public func characteristics(of person: String) -> Characteristics? {
        contents.characteristics(of: person)
    }

    /// Sets all characteristics of a person; see ``HealthStore/setCharacteristics(_:of:)``.
    public func setCharacteristics(
        _ characteristics: Characteristics, of person: String
    ) throws(HealthStoreError) {
        guard Person.isValidName(person) else { throw .failed(reason: "\(PersonError.name)") }
        contents.set(characteristics, of: person)
    }

    private func wakeWatchers() {
        for continuation in watchers.values { continuation.yield() }
    }

    private func removeWatcher(_ watcher: Int) { watchers[watcher] = nil }
}
