package import HealthModel

/// Records that are published together, and their lines of JSON, which are written once for the journal
/// and for everybody who taps.
package struct RecordBatch: Sendable {
    /// The records, in order.
    package let records: [Record]
    /// The records as lines of JSON.
    package let lines: RecordLines

    private static let defaultLineLength = 400

    /// Writes the lines of these records.
    package init(_ records: [Record]) {
        var encoder = RecordLineEncoder()
        self.init(records, with: &encoder)
    }

    /// Writes the lines of these records with an encoder that has written the device's lines before.
    package init(_ records: [Record], with encoder: inout RecordLineEncoder) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(records.count * Self.defaultLineLength)
        var ends: [Int] = []
        ends.reserveCapacity(records.count)
        records.withUnsafeBufferPointer { records in
            for index in records.indices {
                encoder.append(records[index], to: &bytes)
                ends.append(bytes.count)
            }
        }
        self.records = records
        lines = RecordLines(bytes: bytes, ends: ends)
    }

    /// The lines of those records that somebody wants.
    package func lines(where isWanted: (Record) -> Bool) -> RecordLines {
        lines.filter { isWanted(records[$0]) }
    }
}
