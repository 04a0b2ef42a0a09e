package import Platform
package import SQLite
package import SQLiteStore

extension SQLiteError: CausedError {
    package var failureCause: FailureCause? {
        switch reason {
        case .busy: .busy
        case .full: .storageFull
        default: .failure
        }
    }
}

extension SQLiteStoreError: CausedError {
    package var failureCause: FailureCause? {
        switch self {
        case .noWriteAheadLog, .unreadable: .failure
        case .deletedPerson: .conflict
        case .noStore, .sessionConflict, .incompatibleDeclaration, .incalculable, .noHistory: nil
        }
    }
}
