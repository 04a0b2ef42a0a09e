import HealthModel
import SQLite

/// The insertion of quantity samples, which are most of the records.
extension RecordWriter {
    /// Inserts samples that are as many as a group, and returns how many were new.
    func insertGroup(_ records: ArraySlice<Record>) throws -> Int {
        var rows: [SampleRow] = []
        rows.reserveCapacity(SampleRows.groupCount)
        for case .sample(let sample) in records { rows.append(try row(of: sample)) }
        // What follows the last row is new.
        let isLate = rows.contains { SampleRows.home(of: $0.id) <= changeLog.lastRow }
        return try isLate
            ? sampleRows.insertExactly(group: rows) : sampleRows.insert(group: rows)
    }

    /// Returns the rows of samples that were inserted since the last call.
    func takeInserted() -> RowRanges {
        defer { sampleRows.forgetInserted() }
        return sampleRows.inserted
    }

    /// Returns whether the sample was new.
    func insert(_ sample: QuantitySample) throws -> Bool {
        try sampleRows.insert(row(of: sample))
    }

    private func row(of sample: QuantitySample) throws -> SampleRow {
        let type = try types.row(of: sample.type)
        let duration = sample.end.nanoseconds(since: sample.start)
        try updateLongest(type, to: duration)
        try summaryMarks.note(
            type: type, start: sample.start.nanosecondsSince1970, duration: duration)
        return SampleRow(
            id: sample.id, type: type, origin: try origins.row(of: StoredOrigin(sample)),
            start: sample.start.nanosecondsSince1970, duration: duration,
            value: sample.quantity.value, metadata: MetadataText.text(of: sample.metadata))
    }
}
