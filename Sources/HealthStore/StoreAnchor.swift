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
    /// A checksum of that change: another one has its number when a store was replaced by an earlier
    /// copy and has gone on.
    package let checksum: UInt32
    /// Where to continue; nil after a complete change.
    package let place: Place?

    /// Makes an anchor.
    package init(store: UInt64, number: Int64, checksum: UInt32 = 0, place: Place? = nil) {
        self.store = store
        self.number = number
        self.checksum = checksum
        self.place = place
    }
}

extension StoreAnchor: LosslessStringConvertible {
    /// The text: the number of the store, the number and the checksum of the change, and the kind and the
    /// row in it.
    public var description: String {
        let start = "\(String(store, radix: 16)).\(number).\(String(checksum, radix: 16))"
        guard let place else { return start }
        return "\(start).\(place.kind?.rawValue ?? 0).\(place.row)"
    }

    /// Reads the text of an anchor; nil when it is none.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let store = UInt64(parts[0], radix: 16),
            let number = Int64(parts[1]), number >= 0, let checksum = UInt32(parts[2], radix: 16)
        else { return nil }
        var place: Place?
        if parts.count == 5 {
            guard let kind = Int64(parts[3]), let row = Int64(parts[4]),
                kind == 0 || RecordKind(rawValue: kind) != nil
            else { return nil }
            place = Place(kind: RecordKind(rawValue: kind), row: row)
        }
        self.init(store: store, number: number, checksum: checksum, place: place)
    }
}

extension StoreAnchor: CodedAsText {}
