package import HealthModel
package import HealthStore

/// The lines of changes of a store, for the command and for clients.
package struct ChangeLines: Sendable {
    private var encoder = RecordLineEncoder()

    /// Creates lines.
    package init() {}

    /// Appends a record as `export` writes it, and a line break.
    package mutating func append(_ record: Record, to bytes: inout [UInt8]) {
        encoder.append(record, to: &bytes)
    }

    /// Appends the line of a deleted or replaced record.
    package func append(deletionOf id: RecordID, to bytes: inout [UInt8]) {
        Self.append("deletion", "id", id.description, to: &bytes)
    }

    /// Appends the line of an anchor.
    package func append(_ anchor: StoreAnchor, to bytes: inout [UInt8]) {
        Self.append("anchor", "anchor", anchor.description, to: &bytes)
    }

    private static func append(
        _ kind: String, _ key: String, _ value: String, to bytes: inout [UInt8]
    ) {
        bytes += #"{"kind":"\#(kind)","\#(key)":"\#(value)"}"#.utf8
        bytes.append(UInt8(ascii: "\n"))
    }
}
