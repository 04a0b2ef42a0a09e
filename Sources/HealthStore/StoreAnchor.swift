/// A place in the history of a store, after which its changes are asked for.
///
/// It belongs to one store: another one, and an earlier copy of the same, refuse it. Keep its text or
/// its coded form until the next call; what it contains may change.
public struct StoreAnchor: Hashable, Sendable {
    /// A place between the records of one kind.
    package struct Place: Hashable, Sendable {
        /// The kind whose records are being read; nil within a numbered change.
        package let kind: RecordKind?
        /// The number of the last row that was read.
        package let row: Int64

        /// Makes a place.
        package init(kind: RecordKind?, row: Int64) {
            self.kind = kind
            self.row = row
        }
    }

    /// The random number of the store.
    package let store: UInt64
    /// The number of the last change that was read completely.
    package let number: Int64
    /// Where to continue; nil after a complete change.
    package let place: Place?

    /// Makes an anchor.
    package init(store: UInt64, number: Int64, place: Place? = nil) {
        self.store = store
        self.number = number
        self.place = place
    }
}

extension StoreAnchor: LosslessStringConvertible {
    /// The text: the number of the store, of the change, and of the kind and the row in it.
    public var description: String {
        let start = "\(String(store, radix: 16)).\(number)"
        guard let place else { return start }
        return "\(start).\(place.kind?.rawValue ?? 0).\(place.row)"
    }

    /// Reads the text of an anchor; nil when it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4, let store = UInt64(parts[0], radix: 16),
            let number = Int64(parts[1]), number >= 0
        else { return nil }
        var place: Place?
        if parts.count == 4 {
            guard let kind = Int64(parts[2]), let row = Int64(parts[3]),
                kind == 0 || RecordKind(rawValue: kind) != nil
            else { return nil }
            place = Place(kind: RecordKind(rawValue: kind), row: row)
        }
        self.init(store: store, number: number, place: place)
    }
}

extension StoreAnchor: CodedAsText {}
