public import HealthModel
public import HealthStatistics

/// A store of health records: samples, correlations, workouts and device events.
///
/// Its calls are those of HealthKit's `HKHealthStore`. A query is a value, and there is one for all kinds
/// of records. That nothing was found is an empty answer; whatever prevents an answer is an error.
public protocol HealthStore: Sendable {
    /// Saves all records or, when it throws, none.
    ///
    /// A record whose id is stored already is left out, and so is one that was deleted. A deletion deletes
    /// its record, in a transaction of its own.
    ///
    /// Of the samples, correlations and workouts of one type, person and source (by its name) with one sync
    /// identifier, the one with the highest sync version is kept; an equal or lower version is left out. A
    /// sample that replaces one of a correlation takes its place there.
    ///
    /// - Returns: What became of each record, in their order.
    func save(_ records: [Record]) async throws(HealthStoreError) -> [SaveResult]

    /// Deletes records; a sample of a correlation is deleted with the correlation and its other samples.
    ///
    /// - Returns: The number of deleted records, with those that were deleted together with others.
    func delete(_ ids: Set<RecordID>) async throws(HealthStoreError) -> Int

    /// Returns the records that match a predicate, by their start; those with the same start in any
    /// order.
    ///
    /// The samples of a correlation are found by themselves too.
    ///
    /// - Parameter limit: The maximum number of records; nil for any number.
    func records(
        matching predicate: RecordPredicate, order: QueryOrder, limit: Int?
    ) async throws(HealthStoreError) -> [Record]

    /// Returns what was stored and removed since an anchor; nil for all records.
    ///
    /// - Parameter limit: The number of changed records after which a call ends.
    func changes(
        since anchor: StoreAnchor?, limit: Int
    ) async throws(HealthStoreError) -> StoreChanges

    /// The anchor of the present state, after which only later changes are returned.
    func currentAnchor() async throws(HealthStoreError) -> StoreAnchor

    /// A sequence with an element after each commit that stored or removed records, also of another
    /// process; several commits may have one.
    ///
    /// It ends when the task is cancelled, or when the file of the store is moved or replaced. No commit
    /// after the call is missed, so call this before you read what there is.
    func commits() async throws(HealthStoreError) -> AsyncStream<Void>

    /// Calculates the statistics of the samples of a type in each span.
    ///
    /// - Parameters:
    ///   - spans: In the order of time, without overlaps.
    ///   - person: Only samples of the person with this name; nil for all people.
    func statistics(
        of type: QuantityType, in spans: [Range<Instant>], person: String?,
        options: StatisticsOptions
    ) async throws(HealthStoreError) -> [Statistics]

    /// The characteristics of a person; nil when the store knows no person with this name.
    ///
    /// A person is known once a record of the person was stored, or characteristics were set. The store of
    /// a gateway has those of the gateway's people.
    func characteristics(
        of person: String
    ) async throws(HealthStoreError) -> Characteristics?

    /// Sets all characteristics of a person, who need not be known; those that are nil are no longer set.
    ///
    /// - Throws: `HealthStoreError.failed` also when the name is not valid.
    func setCharacteristics(
        _ characteristics: Characteristics, of person: String
    ) async throws(HealthStoreError)
}

/// The order by start.
public enum QueryOrder: Hashable, Sendable, Codable {
    case oldestFirst
    case newestFirst
}
