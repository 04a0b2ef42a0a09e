package import HealthModel

/// Records that are published together, and their lines of JSON, which are written once for the journal
/// and for everybody who taps.
package struct RecordBatch: Sendable {
    /// The records, in order.
    package let records: [Record]
    /// The records as lines of JSON.
    package let lines: RecordLines

    private static let usualLineLength = 400

    /// Writes the lines of these records.
    package init(_ records: [Record]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.count * Self.usualLineLength)
        var encoder = RecordLineEncoder()
        let ends = records.map { record in
            encoder.append(record, to: &bytes)
            return bytes.count
        }
        self.records = records
        lines = RecordLines(bytes: bytes, ends: ends)
    }

    /// The lines of those records that somebody wants.
    package func lines(where isWanted: (Record) -> Bool) -> RecordLines {
        lines.filter { isWanted(records[$0]) }
    }
}
