import GatewayCore
import HealthModel

/// Encodes records into a request body.
protocol RecordWriter {
    /// Begins a body for about `count` records.
    init(count: Int)
    /// Appends a record; false when the format does not support it.
    mutating func append(_ record: Record) -> Bool
    /// Finishes and returns the body.
    mutating func finish() -> [UInt8]
}

extension RecordWriter {
    static func body(of records: [Record]) -> RequestBody {
        var writer = Self(count: records.count)
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
}
