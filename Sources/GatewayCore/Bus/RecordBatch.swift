package import HealthModel

/// Records that are published together, and their lines of JSON, which are written once for the journal
/// and for everybody who taps.
package struct RecordBatch: Sendable {
    /// The records, in order.
    package let records: [Record]
    /// The records as lines of JSON, each with its newline.
    package let lines: [UInt8]
    /// Where in ``lines`` the line of each record ends.
    private let ends: [Int]

    private static let usualLineLength = 400

    /// Writes the lines of these records.
    package init(_ records: [Record]) {
        var lines: [UInt8] = []
        lines.reserveCapacity(records.count * Self.usualLineLength)
        self.records = records
        ends = records.map { record in
            RecordEncoder.append(record, to: &lines)
            lines.append(UInt8(ascii: "\n"))
            return lines.count
        }
        self.lines = lines
    }

    /// The lines of those records that somebody wants.
    package func lines(where isWanted: (Record) -> Bool) -> [UInt8] {
        var wanted: [UInt8] = []
        var start = 0
        for (record, end) in zip(records, ends) {
            if isWanted(record) { wanted += lines[start..<end] }
            start = end
        }
        return wanted
    }
}
