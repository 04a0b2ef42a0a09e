package import HealthModel
package import HealthStore
import SQLite

extension SQLiteStore {
    /// Returns what was stored and removed since an anchor, at most some records; nil for all records.
    ///
    /// Samples that belong to a correlation are given by themselves too.
    ///
    /// - Throws: `HealthStoreError.foreignAnchor` for an anchor of another store or of a later state of
    ///   it, and `HealthStoreError.expiredAnchor` when changes after it are no longer known; then start
    ///   again without an anchor.
    package func changes(
        since anchor: StoreAnchor?, limit: Int = StorePages<Record>.maximumPageSize,
        types: QuantityTypes = .standard
    ) throws -> StoreChanges {
        try connection.readTransaction {
            var reader = try ChangeReader(connection, lookup, types: types, limit: limit)
            return try reader.changes(since: anchor)
        }
    }

    /// Returns what was stored and removed since an anchor, as far as a reader may see it; a deletion whose
    /// type is not known is left out.
    ///
    /// A call looks at some thousand changes, so it can return none while there are more.
    package func changes(
        since anchor: StoreAnchor?, limit: Int, types: QuantityTypes, filter: ChangeFilter
    ) throws -> FilteredChanges {
        try connection.readTransaction {
            var reader = try ChangeReader(
                connection, lookup, types: types, limit: limit, filter: filter)
            let changes = try reader.changes(since: anchor)
            let shown = try reader.shown.map { try reader.anchor($0.0, $0.1) }
            return FilteredChanges(
                changes: changes, shown: try shown ?? anchor ?? reader.firstAnchor())
        }
    }

    /// Whether this store was in the state of an anchor, and knows what has changed since: false for
    /// another store, and for an earlier copy of this one.
    package func hasReached(_ anchor: StoreAnchor?) throws -> Bool {
        guard let anchor else { return false }
        do {
            _ = try changes(since: anchor, limit: 1)
            return true
        } catch HealthStoreError.foreignAnchor, HealthStoreError.expiredAnchor {
            return false
        }
    }

    /// The anchor of the present state, after which only later changes are returned.
    package func newestAnchor() throws -> StoreAnchor {
        try connection.readTransaction {
            try ChangeReader(connection, lookup, types: .standard, limit: 1).newestAnchor()
        }
    }
}
