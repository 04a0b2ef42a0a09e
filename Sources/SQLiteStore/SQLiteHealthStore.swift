public import HealthModel
public import HealthStatistics
public import HealthStore
import Platform
import SQLite

/// A store in a SQLite file: that of a gateway, or one of a program's own.
///
/// Several programs may use the file at the same time, also while a gateway writes to it.
public struct SQLiteHealthStore: HealthStore {
    private let store: SQLiteStore
    private let types: QuantityTypes
    private let now: @Sendable () -> Instant

    /// Opens a store for reading and writing, and creates it if missing.
    ///
    /// - Parameters:
    ///   - types: The types of records that are read; those of the standard table by default.
    ///   - now: The clock that dates deletions; nil for the clock of the system.
    /// - Throws: `HealthStoreError.failed`, also when the file is not a store or is of a newer version.
    public init(
        opening path: String, types: QuantityTypes = .standard,
        now: (@Sendable () -> Instant)? = nil
    ) throws(HealthStoreError) {
        let now = now ?? Self.systemTime
        let store = try HealthStoreError.mapping { try SQLiteStore(path: path, now: now) }
        self.init(store, types: types, now: now)
    }

    /// Opens a store for reading only, such as that of a gateway.
    ///
    /// - Throws: `HealthStoreError.notFound`, or `failed` when the file is not a store.
    public init(
        reading path: String, types: QuantityTypes = .standard
    ) throws(HealthStoreError) {
        let store = try HealthStoreError.mapping { try SQLiteStore(readingFrom: path) }
        self.init(store, types: types)
    }

    /// Uses a store that is open.
    package init(
        _ store: SQLiteStore, types: QuantityTypes,
        now: @escaping @Sendable () -> Instant = systemTime
    ) {
        self.store = store
        self.types = types
        self.now = now
    }

    package static let systemTime: @Sendable () -> Instant = {
        Instant(nanosecondsSince1970: SystemTime.wall())
    }

    /// Saves all records or, when it throws, none; see ``HealthStore/save(_:)``.
    public func save(_ records: [Record]) async throws(HealthStoreError) -> [SaveResult] {
        try await HealthStoreError.mapping { try await store.saveEach(records) }
    }

    /// Deletes records and returns how many, with those that go with them.
    public func delete(_ ids: Set<RecordID>) async throws(HealthStoreError) -> Int {
        let selection = DeletionSelection.records(ids.sorted(), kinds: Set(RecordKind.allCases))
        let counts = try await HealthStoreError.mapping {
            try await store.delete(selection, at: now())
        }
        return counts.reduce(0) { $0 + $1.count }
    }

    /// Returns the records that match a predicate, by their start.
    public func records(
        matching predicate: RecordPredicate, order: QueryOrder, limit: Int?
    ) async throws(HealthStoreError) -> [Record] {
        try await HealthStoreError.mapping {
            var search = try await RecordSearch(predicate, order, store, types)
            return try await search.records(limit: limit)
        }
    }

    /// Returns what was stored and removed since an anchor; nil for all records.
    public func changes(
        since anchor: StoreAnchor?, limit: Int
    ) async throws(HealthStoreError) -> StoreChanges {
        try await HealthStoreError.mapping {
            try await store.changes(since: anchor, limit: limit, types: types)
        }
    }

    /// The anchor of the present state.
    public func currentAnchor() async throws(HealthStoreError) -> StoreAnchor {
        try await HealthStoreError.mapping { try await store.newestAnchor() }
    }

    /// A sequence with an element after each commit; see ``HealthStore/commits()``.
    public func commits() async throws(HealthStoreError) -> AsyncStream<Void> {
        try await HealthStoreError.mapping { try await CommitWatch.commits(of: store) }
    }

    /// Calculates the statistics of the samples of a type in each span.
    public func statistics(
        of type: QuantityType, in spans: [Range<Instant>], person: String?,
        options: StatisticsOptions
    ) async throws(HealthStoreError) -> [Statistics] {
        try await HealthStoreError.mapping {
            try await store.statistics(
                of: SampleQuery(type: type, person: person), in: spans, options: options)
        }
    }

    /// The characteristics of a person; nil when the store knows no person with this name.
    public func characteristics(
        of person: String
    ) async throws(HealthStoreError) -> Characteristics? {
        try await HealthStoreError.mapping { try await store.characteristics(of: person) }
    }

    /// Sets all characteristics of a person; see ``HealthStore/setCharacteristics(_:of:)``.
    public func setCharacteristics(
        _ characteristics: Characteristics, of person: String
    ) async throws(HealthStoreError) {
        guard Person.isValidName(person) else { throw .failed(reason: "\(PersonError.name)") }
        try await HealthStoreError.mapping {
            try await store.setCharacteristics(characteristics, of: person)
        }
    }
}

extension HealthStoreError {
    /// Returns the result of a call; an error of the file becomes one of these.
    fileprivate static func mapping<Result>(
        _ body: () throws -> Result
    ) throws(HealthStoreError) -> Result {
        do { return try body() } catch { throw HealthStoreError(error) }
    }

    /// Returns the result of an asynchronous call; an error of the file becomes one of these.
    fileprivate static func mapping<Result>(
        _ body: () async throws -> Result
    ) async throws(HealthStoreError) -> Result {
        do { return try await body() } catch { throw HealthStoreError(error) }
    }

    private init(_ error: any Error) {
        self =
            switch error {
            case SQLiteStoreError.noStore(let path): .notFound(path: path)
            case let error as HealthStoreError: error
            case SQLiteStoreError.incalculable(let type, _): .incalculable(type: type)
            default: .failed(reason: "\(error)")
            }
    }
}
