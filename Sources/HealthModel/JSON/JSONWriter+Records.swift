package import JSON

extension JSONWriter {
    /// Writes a field that is a record.
    package mutating func record(_ key: String, _ record: Record) {
        field(key) { RecordEncoder.append(record, to: &$0) }
    }

    /// Writes a field that is a list of records.
    package mutating func records(_ key: String, _ records: [Record]) {
        list(key, records) { RecordEncoder.append($0, to: &$1) }
    }
}
