import GatewayCore
import HealthModel
import JSON
import Readings

extension RequestHandler {
    /// The key that delays the answer until the store has the records.
    private static let waitKey = "waitForStore"

    /// `add`: stores a manually entered sample; answered when it is committed.
    package static let add = RequestHandler("add", for: .everyone, bytesKeys: ["sample"]) {
        request, service, channel in
        let object = try request.node.object(keys: ["request", "sample", waitKey])
        let waits = try object[waitKey]?.boolean() ?? false
        var reader = await EnteredRecordReader(service, of: channel.client)
        let record = try reader.record(of: try request.bytes(of: "sample"), at: "sample")
        guard case .sample(let sample) = record else {
            throw ConfigurationError(path: "sample", problem: "is not a sample")
        }
        channel.send(
            try await line(of: [record], channel.client, service, waits: waits) { json in
                json.object("added") { $0.field("id", "\(sample.id)") }
            })
        return nil
    }

    /// `ingest`: stores records of a file; answered when they are committed.
    package static let ingest = RequestHandler(
        "ingest", for: .everyone, bytesKeys: ["records"]
    ) {
        request, service, channel in
        let object = try request.node.object(keys: ["request", "records", waitKey])
        let waits = try object[waitKey]?.boolean() ?? false
        var reader = await EnteredRecordReader(service, of: channel.client)
        var records: [Record] = []
        for (index, bytes) in try request.elements(of: "records").enumerated() {
            records.append(try reader.record(of: bytes, at: "records[\(index)]"))
        }
        let count = Int64(records.count)
        channel.send(
            try await line(of: records, channel.client, service, waits: waits) {
                $0.field("accepted", count)
            })
        return nil
    }

    /// Stores records, and makes the line of the answer.
    private static func line(
        of records: [Record], _ client: ServiceClient, _ service: GatewayService, waits: Bool,
        whenAccepted write: (inout JSONWriter) -> Void
    ) async throws(AccessError) -> [UInt8] {
        let acceptance = try await service.ingest(records, from: client)
        let isStored =
            waits && acceptance == .accepted
            ? await service.waitForStore(of: records, from: client) : nil
        return JSONLine.make { json in
            switch acceptance {
            case .accepted:
                write(&json)
                json.field("stored", isStored)
            case .waiting(let reason):
                json.field(
                    "error",
                    "not stored yet, waiting in memory: \(reason); fix the cause, and do not add it again"
                )
            case .duplicateID: json.field("error", "another record has that id")
            case .stopping: json.field("stopping", true)
            }
        }
    }
}

/// Limits of manually entered records.
package enum EnteredRecord {
    /// The maximum duration of a sample: a leap year.
    package static let maximumNanoseconds = RecordTimeBounds.maximumNanoseconds
}

/// Reads and validates manually entered records of a client.
private struct EnteredRecordReader {
    private let service: GatewayService
    private let client: ServiceClient
    private let people: [String]
    private let check: RecordCheck
    private var decoder: RecordDecoder

    init(_ service: GatewayService, of client: ServiceClient) async {
        self.service = service
        self.client = client
        people = await service.peopleNames()
        check = RecordCheck(service.timeBounds())
        decoder = RecordDecoder(types: await service.types())
    }

    /// Reads the record at a key path; an unknown person is an error.
    ///
    /// A client without access to store the record learns nothing else, such as who is known.
    mutating func record(
        of bytes: ArraySlice<UInt8>, at path: String
    ) throws -> Record {
        func error(_ problem: String) -> ConfigurationError {
            ConfigurationError(path: path, problem: problem)
        }
        let record: Record
        do throws(RecordDecodingError) { record = try decoder.decode(bytes) } catch let problem {
            throw error("\(problem)")
        }
        try service.check(client, .share, record.accessTypes)
        if let person = record.person, !people.contains(person) {
            throw error(People.unknown(person, known: client.isOwner ? people : []))
        }
        if let problem = RecordText.problem(of: record) { throw error(problem) }
        switch check.problem(of: record) {
        case nil: return record.fillingMembers()
        case .implausible(let type): throw error("is out of range for \(type.name)")
        case let problem?: throw error("\(problem)")
        }
    }
}
