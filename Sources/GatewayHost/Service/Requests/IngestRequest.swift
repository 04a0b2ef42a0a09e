import GatewayCore
import HealthModel
import JSON

extension RequestHandler {
    /// Asks for the answer to come when the store has the records, and to say whether it has.
    private static let waitKey = "waitForStore"

    /// `add`: stores a sample that somebody has entered; answered when it is committed.
    package static let add = RequestHandler("add") { request, service, channel in
        let object = try request.object(keys: ["request", "sample", waitKey])
        let node = try object.require("sample")
        let waits = try object[waitKey]?.boolean() ?? false
        let record = try await record(node, service)
        guard case .sample(let sample) = record else { throw node.error("is not a sample") }
        channel.send(
            await line(of: [record], service, waits: waits) { json in
                json.object("added") { $0.field("id", "\(sample.id)") }
            })
        return nil
    }

    /// `ingest`: stores records of a file; answered when they are committed.
    package static let ingest = RequestHandler("ingest") { request, service, channel in
        let object = try request.object(keys: ["request", "records", waitKey])
        let waits = try object[waitKey]?.boolean() ?? false
        var records: [Record] = []
        for node in try object.require("records").array() {
            records.append(try await record(node, service))
        }
        let count = Int64(records.count)
        channel.send(
            await line(of: records, service, waits: waits) { $0.field("accepted", count) })
        return nil
    }

    private static func record(
        _ node: ConfigurationNode, _ service: GatewayService
    ) async throws -> Record {
        var decoder = RecordDecoder(types: await service.types())
        let record: Record
        do {
            record = try decoder.decode(Array(node.value.json.utf8))
        } catch {
            throw node.error("\(error)")
        }
        try EnteredRecord.check(record, of: node, people: await service.people())
        return record
    }

    /// Stores records, and makes the line of the answer.
    private static func line(
        of records: [Record], _ service: GatewayService, waits: Bool,
        whenAccepted write: (inout JSONWriter) -> Void
    ) async -> [UInt8] {
        let acceptance = await service.ingest(records)
        let isStored = waits && acceptance == .accepted ? await service.waitForStore() : nil
        return JSONLine.make { json in
            switch acceptance {
            case .accepted:
                write(&json)
                json.field("stored", isStored)
            case .waiting(let reason):
                json.field(
                    "error",
                    "not stored yet, it waits in memory: \(reason); fix that, and do not add it again"
                )
            case .taken: json.field("error", "another record has that id")
            case .stopping: json.field("stopping", true)
            }
        }
    }
}

/// What a record must be that somebody enters.
package enum EnteredRecord {
    /// The longest time that one value may cover: a leap year.
    package static let longestNanoseconds: Int64 = 366 * 86_400 * 1_000_000_000

    /// Checks a record; people who are not known have none.
    static func check(
        _ record: Record, of node: ConfigurationNode, people: [String]
    ) throws(ConfigurationError) {
        if let person = record.person, !people.contains(person) {
            throw node.error("`\(person)` is unknown; known: \(people.joined(separator: ", "))")
        }
        guard case .sample(let sample) = record else { return }
        guard sample.type.isPlausible(sample.quantity) else {
            throw node.error("is out of range for \(sample.type.name)")
        }
        guard sample.end.nanoseconds(since: sample.start) <= longestNanoseconds else {
            throw node.error("covers more than a year")
        }
    }
}
