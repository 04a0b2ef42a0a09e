import GatewayCore
import HealthModel

/// Writes records into a body, one after the other.
protocol RecordWriter {
    /// Begins a body that needs about so many bytes for all records.
    init(count: Int)
    /// Adds a record; false when the format has no room for such a one.
    mutating func append(_ record: Record) -> Bool
    /// Ends the body and answers with it.
    mutating func finish() -> [UInt8]
}

extension RecordWriter {
    static func body(of records: [Record]) -> RequestBody {
        var writer = Self(count: records.count)
        let leftOut = records.indices.filter { !writer.append(records[$0]) }
        return RequestBody(
            bytes: writer.finish(), count: records.count - leftOut.count, leftOut: leftOut)
    }

    static func body(of lines: RecordLines, types: QuantityTypes) -> RequestBody {
        var writer = Self(count: lines.count)
        var decoder = RecordDecoder(types: types, allowingUndeclared: true)
        var unreadable: [Int] = []
        var leftOut: [Int] = []
        for index in 0..<lines.count {
            guard let record = try? decoder.decode(lines[index]) else {
                unreadable.append(index)
                continue
            }
            if !writer.append(record) { leftOut.append(index) }
        }
        return RequestBody(
            bytes: writer.finish(), count: lines.count - unreadable.count - leftOut.count,
            unreadable: unreadable, leftOut: leftOut)
    }
}
