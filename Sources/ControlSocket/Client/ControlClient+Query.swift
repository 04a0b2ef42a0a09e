import GatewayHost
package import HealthModel
import JSON
package import SQLiteStore

extension ControlRequest {
    /// Requests stored records; the answer is a line for each, then a line with their number.
    package static func query(_ query: RecordQuery) -> ControlRequest {
        ControlRequest(RequestHandler.query.name) { json in
            json.field("type", query.type?.name ?? StoredRecords.eventName)
            json.field("from", query.from?.description)
            json.field("to", query.to?.description)
            json.field("device", query.device)
            json.field("person", query.person)
            if let limit = query.limit { json.field("limit", Int64(limit)) }
        }
    }
}

extension ControlClient {
    /// The options of `query` by key of the request; the type is its operand.
    package static let queryOptions = [
        "type": "", "from": "--from", "to": "--to", "device": "--device", "person": "--person",
        "limit": "--limit",
    ]

    private static let endOfQuery = Array(#"{"query":"#.utf8)

    /// Calls `receive` with the stored records of a query, oldest first, in parts.
    ///
    /// It ends early when the reader of `output`, a pipe, has closed it.
    package mutating func records(
        matching query: RecordQuery, types: QuantityTypes, whileReading output: Int32 = -1,
        _ receive: ([Record]) throws -> Void
    ) throws {
        try post(.query(query))
        var decoder = RecordDecoder(types: types, allowingUndeclared: true)
        while true {
            switch try nextLines(whileReading: output) {
            case .lines(let lines):
                let lines = lines.split(separator: UInt8(ascii: "\n"))
                var records: [Record] = []
                for line in lines.prefix(while: { !$0.starts(with: Self.endOfQuery) }) {
                    try throwError(in: Array(line), Self.queryOptions)
                    guard let record = try? decoder.decode(line) else { throw unknownAnswer }
                    records.append(record)
                }
                if !records.isEmpty { try receive(records) }
                guard records.count == lines.count else { return }
            case .outputClosed: return
            case .end, .nothing: throw HostError(.unreachable, Self.closed(folder))
            }
        }
    }
}
