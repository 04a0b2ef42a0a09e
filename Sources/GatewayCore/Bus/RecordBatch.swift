package import HealthModel

/// Records that are published together, with their lines of JSON for the journal and for taps.
package struct RecordBatch: Sendable {
    /// The records as lines of JSON, with the records themselves.
    package private(set) var lines: RecordLines

    private static let defaultLineLength = 400

    /// Encodes records as lines.
    package init(_ records: [Record]) {
        var encoder = RecordLineEncoder()
        self.init(records, with: &encoder)
    }

    /// Encodes records as lines with the encoder of a device.
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
        lines = RecordLines(bytes: bytes, ends: ends, records: records)
    }

    /// The records, in order.
    package var records: [Record] { lines.records ?? [] }

    /// Appends a later batch.
    mutating func append(_ next: RecordBatch) { lines.append(next.lines) }

    /// The same batch, whose readers share one array of the records.
    var joined: RecordBatch {
        var batch = self
        batch.lines.joinRecords()
        return batch
    }

    /// Returns the lines of the records that satisfy a predicate.
    package func lines(where isWanted: (Record) -> Bool) -> RecordLines {
        let records = records
        return lines.filter { isWanted(records[$0]) }
    }
}
