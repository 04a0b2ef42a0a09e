package import GatewayCore
package import HealthModel

/// The format of a request body.
package enum RequestFormat: String, Sendable, CaseIterable {
    /// One JSON document: `{"v":1,"samples":[…],"events":[…]}`, with `deletions` when there are any.
    case json
    /// The lines of the journal as they are, one JSON object each.
    case ndjson
    /// InfluxDB's line protocol, version 1; see ``LineProtocolWriter``.
    case influx
    /// A FHIR R4 transaction of Observations; see ``ObservationBundleWriter``.
    case fhir

    /// The value of the header `Content-Type`.
    package var contentType: String {
        switch self {
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .influx: "text/plain; charset=utf-8"
        case .fhir: "application/fhir+json"
        }
    }

    /// Whether a body is made of records; the JSON formats copy the lines.
    package var readsRecords: Bool {
        switch self {
        case .json, .ndjson: false
        case .influx, .fhir: true
        }
    }

    /// Whether a body can say that records were deleted.
    package var hasDeletions: Bool {
        switch self {
        case .json, .ndjson, .fhir: true
        case .influx: false
        }
    }

    /// Encodes the lines of the journal.
    ///
    /// The JSON formats copy the lines without parsing their values; the others take the records, or
    /// decode them when the lines come from the journal's file.
    package func body(
        of lines: RecordLines, types: QuantityTypes = .standard
    ) -> RequestBody {
        switch self {
        case .json: JSONDocument.body(of: lines, types: types)
        case .ndjson: RequestBody(bytes: lines.bytes, count: lines.count)
        case .influx: LineProtocolWriter.body(of: lines, types: types)
        case .fhir: ObservationBundleWriter.body(of: lines, types: types)
        }
    }

    /// Encodes decoded records.
    package func body(of records: [Record]) -> RequestBody {
        switch self {
        case .json, .ndjson: body(of: RecordBatch(records).lines)
        case .influx: LineProtocolWriter.body(of: records)
        case .fhir: ObservationBundleWriter.body(of: records)
        }
    }
}

/// The body of a request with a ``GatewayCore/RecordDocument``.
enum JSONDocument {
    static func body(of lines: RecordLines, types: QuantityTypes) -> RequestBody {
        let document = RecordDocument(lines, types: types)
        return RequestBody(
            bytes: document.bytes, count: lines.count - document.invalid.count,
            invalid: document.invalid)
    }
}
