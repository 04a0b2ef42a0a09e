import GatewayCore
import HealthModel

/// Encodes records into a request body.
protocol RecordWriter {
    /// Begins a body for about `count` records.
    init(count: Int)
    /// Expects the deletions of these records in the body.
    mutating func expect(deletionsOf ids: Set<RecordID>)
    /// Appends a record; false when the format does not support it.
    mutating func append(_ record: Record) -> Bool
    /// Finishes and returns the body.
    mutating func finish() -> [UInt8]
}

extension RecordWriter {
    mutating func expect(deletionsOf ids: Set<RecordID>) {}

    static func body(of records: [Record]) -> RequestBody {
        var writer = Self(count: records.count)
        writer.expect(deletionsOf: Set(records.compactMap(\.deletedID)))
        let unsupported = records.indices.filter { !writer.append(records[$0]) }
        return RequestBody(
            bytes: writer.finish(), count: records.count - unsupported.count,
            unsupported: unsupported)
    }

    static func body(of lines: RecordLines, types: QuantityTypes) -> RequestBody {
        if let records = lines.records { return body(of: records) }
        var writer = Self(count: lines.count)
        var decoder = RecordDecoder(types: types, allowingUndeclared: true)
        var invalid: [Int] = []
        var unsupported: [Int] = []
        writer.expect(deletionsOf: deletedIDs(lines, &decoder))
        for index in 0..<lines.count {
            guard let record = try? decoder.decode(lines[index]) else {
                invalid.append(index)
                continue
            }
            if !writer.append(record) { unsupported.append(index) }
        }
        return RequestBody(
            bytes: writer.finish(), count: lines.count - invalid.count - unsupported.count,
            invalid: invalid, unsupported: unsupported)
    }

    private static func deletedIDs(
        _ lines: RecordLines, _ decoder: inout RecordDecoder
    ) -> Set<RecordID> {
        var ids: Set<RecordID> = []
        for index in 0..<lines.count where lines[index].starts(with: RecordEncoder.deletionStart) {
            if let id = try? decoder.decode(lines[index]).id { ids.insert(id) }
        }
        return ids
    }
}

extension Record {
    fileprivate var deletedID: RecordID? {
        if case .deletion(let deleted) = self { deleted.id } else { nil }
    }
}
