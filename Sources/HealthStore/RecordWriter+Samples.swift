import HealthModel
import SQLite

/// The insertion of quantity samples, which are most of the records.
extension RecordWriter {
    /// Inserts samples that are as many as a group, and returns how many were new.
    func insertGroup(_ records: ArraySlice<Record>) throws -> Int {
        var parameter: Int32 = 1
        for case .sample(let sample) in records {
            try bind(sample, to: insertSamples, from: parameter)
            parameter += Self.sampleParameters
        }
        try insertSamples.runRetainingBindings()
        return Int(connection.changes)
    }

    func insert(_ sample: QuantitySample) throws {
        try bind(sample, to: insertSample, from: 1)
        try insertSample.runRetainingBindings()
    }

    /// Binds a sample to ``sampleParameters`` parameters from the one with this number.
    private func bind(
        _ sample: QuantitySample, to row: SQLiteStatement, from first: Int32
    ) throws {
        let type = try types.row(of: sample.type)
        try updateLongest(type, to: sample.end.nanoseconds(since: sample.start))
        // An undeclared type has no known canonical unit.
        let canonical =
            sample.type.isDeclared
            ? try? sample.quantity.value(in: sample.type.canonicalUnit) : nil
        try row.bind(sample.id, at: first)
        try row.bind(integer: type, at: first + 1)
        try row.bind(integer: sample.start.nanosecondsSince1970, at: first + 2)
        try row.bind(integer: sample.end.nanosecondsSince1970, at: first + 3)
        try row.bind(real: sample.quantity.value, at: first + 4)
        try row.bind(integer: units.row(of: sample.quantity.unit), at: first + 5)
        try row.bind(real: canonical, at: first + 6)
        try row.bind(integer: sample.person.map(people.row), at: first + 7)
        try row.bind(integer: sample.device.map(devices.row), at: first + 8)
        try row.bind(integer: sample.source.map(sources.row), at: first + 9)
        try row.bind(text: MetadataText.text(of: sample.metadata), at: first + 10)
    }

    /// The number of samples in one statement: SQLite needs about half the time for each sample then.
    static let groupCount = 16
    /// The number of parameters for a sample.
    static let sampleParameters: Int32 = 11

    // Only a duplicate id is ignored; any other conflict is an error.
    static func insertSQL(samples count: Int) -> String {
        let row =
            "(" + Array(repeating: "?", count: Int(sampleParameters)).joined(separator: ", ") + ")"
        return """
            INSERT INTO sample (
                id, type, start_ns, end_ns, value, unit, canonical, person, device, source, metadata
            ) VALUES \(Array(repeating: row, count: count).joined(separator: ", "))
            ON CONFLICT (id) DO NOTHING
            """
    }
}
