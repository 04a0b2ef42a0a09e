/// Why a store did not do what it was asked for.
///
/// An answer without records is no error.
public enum HealthStoreError: Error, Hashable, CustomStringConvertible {
    /// There is no store at this path.
    case notFound(path: String)
    /// The anchor is of another store, or the store was replaced by an earlier copy; read without an
    /// anchor.
    case foreignAnchor
    /// Changes after the anchor are no longer known; read without an anchor.
    case expiredAnchor
    /// The values of this type are too large to be added.
    case incalculable(type: String)
    /// The store cannot be read or written, for this reason.
    case failed(reason: String)

    /// The message.
    public var description: String {
        switch self {
        case .notFound(let path): "no store at \(path)"
        case .foreignAnchor:
            "the anchor is not of this store, or the store was replaced by an earlier copy; "
                + "read all records again, without an anchor"
        case .expiredAnchor:
            "changes after the anchor are no longer known; read all records again, without an anchor"
        case .incalculable(let type):
            "the values of \(type) are too large to be added; use a shorter span of time"
        case .failed(let reason): reason
        }
    }
}
