import GatewayCore
import HealthModel
import JSON
import SQLiteStore

extension RequestHandler {
    /// `query`: answered with the stored records of a type, oldest first, then a line with their number.
    package static let query = RequestHandler("query", for: .everyone) {
        request, service, channel in
        var query = try RecordQuery(request.parameters.knowing(await service.types()))
        // Spelled as where it was set; a person without an entry may have records too.
        let people = await service.peopleNames()
        query.person = query.person.map { name in people.first { $0 == name } ?? name }
        var lines: [UInt8] = []
        var count: Int64 = 0
        try await service.records(matching: query, for: channel.client) { page in
            for record in page {
                RecordEncoder.append(record, to: &lines)
                lines.append(UInt8(ascii: "\n"))
                count += 1
                guard lines.count >= QueryLimits.blockSize else { continue }
                channel.send(lines)
                lines = []
                try await channel.waitUntilWritten()
            }
        }
        let end = JSONLine.make { $0.object("query") { $0.field("records", count) } }
        channel.send(lines + end)
        return nil
    }
}

private enum QueryLimits {
    /// The number of bytes sent before the gateway waits for the client to read them.
    static let blockSize = 65_536
    /// The maximum `limit` of a query: the selected records are held in memory.
    static let maximumLimit = 10_000
}

extension RecordQuery {
    /// Reads a query of a client; names of types are those that the node knows.
    fileprivate init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: ["type", "from", "to", "device", "person", "limit"])
        let typeNode = try object.require("type")
        let name = try typeNode.string()
        let isEvent = name == StoredRecords.eventName && node.types.named(name) == nil
        self.init(
            type: isEvent ? nil : try typeNode.recordType(named: name),
            from: try object["from"].map(Self.time), to: try object["to"].map(Self.time),
            device: try object["device"]?.string(), person: try object["person"]?.string(),
            limit: try object["limit"]?.integer(in: 1...QueryLimits.maximumLimit))
    }

    private static func time(_ node: ConfigurationNode) throws(ConfigurationError) -> Instant {
        guard let instant = Instant(iso8601: try node.string()) else {
            throw node.error("expected a time such as 2026-11-21T18:15:00Z")
        }
        return instant
    }
}
