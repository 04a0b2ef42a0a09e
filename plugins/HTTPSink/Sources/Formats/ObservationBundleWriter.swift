import HealthModel
import JSON

/// Writes a FHIR R4 transaction with an Observation for each sample, each correlation and each workout,
/// and a conditional delete for each deletion.
///
/// The rules are those of FHIR R4 (4.0.1): http.html "Transactions" and "Conditional create",
/// bundle.html, observation.html, observation-vitalsigns.html.
///
/// - Each entry is a conditional create by the sample's id, so a retried transaction creates no
///   duplicates. A duplicate id in a batch is written once: a Bundle must not contain duplicates.
/// - `code` has the LOINC code where one is published for the type, and always a Pulsegate code, the
///   type's name. Types in FHIR's table of vital signs have the category `vital-signs`.
/// - The value is in the UCUM unit of the code; 100 % is 100.
/// - A category's value is a `valueCodeableConcept` with HealthKit's name as the code; a category without
///   values has none.
/// - A correlation is one Observation with its members as components: a blood pressure is the panel
///   85354-9. The person, device and time of a member are not in a component.
/// - A workout is one Observation with its activity as the value. Its components are the duration without
///   pauses, the sums, and the averages, minimums and maximums of discrete types, with Pulsegate codes.
///   Laps and pauses are not written.
/// - An instantaneous sample has `effectiveDateTime`, any other one `effectivePeriod`.
/// - `subject` is a Patient by identifier, the person's name; it is omitted when the person is unknown.
///   The device is contained with all its known properties.
/// - A server processes the deletes of a transaction before its creates (http.html, "Transaction
///   Processing Rules"), so that a record whose deletion is in the same batch is left out.
/// - The source's name, metadata and device events are not written.
struct ObservationBundleWriter: RecordWriter {
    private static let defaultEntryLength = 1_536

    private var bytes: [UInt8] = []
    private var ids: Set<RecordID> = []
    private var deleted: Set<RecordID> = []
    private var devices = RecentTextCache<Device>()
    private var kinds: [QuantityType: ObservationKind] = [:]

    init(count: Int) {
        bytes.reserveCapacity(count * Self.defaultEntryLength)
        ids.reserveCapacity(count)
        bytes.append("{\"resourceType\":\"Bundle\",\"type\":\"transaction\"")
    }

    mutating func expect(deletionsOf ids: Set<RecordID>) { deleted = ids }

    mutating func append(_ record: Record) -> Bool {
        if case .deletion(let deleted) = record { return append(deleted) }
        guard !deleted.contains(record.id) else { return true }
        return appendObservation(record)
    }

    /// Appends a conditional delete; false for a device event, which is never written.
    private mutating func append(_ deleted: DeletedRecord) -> Bool {
        guard deleted.typeName != nil else { return false }
        guard beginEntry(of: deleted.id) else { return true }
        bytes.append("{\"request\":{\"method\":\"DELETE\",\"url\":\"Observation?")
        appendCondition(deleted.id)
        bytes.append("\"}}")
        return true
    }

    private mutating func appendObservation(_ record: Record) -> Bool {
        switch record {
        case .sample(let sample):
            let kind = ObservationKind.of(sample.type, &kinds)
            guard let value = kind.unit.value(of: sample.quantity) else { return false }
            append(record, from: sample.start, to: sample.end, kind: kind.json) { bytes in
                bytes.append(",")
                Self.append(value, in: kind.unit, to: &bytes)
            }
            return true
        case .category(let sample):
            append(
                record, from: sample.start, to: sample.end,
                kind: ObservationKind.json(of: .category(sample.type))
            ) { bytes in
                Self.append(valueOf: sample, to: &bytes)
            }
            return true
        case .correlation(let correlation):
            guard let components = ObservationComponents.json(of: correlation, &kinds) else {
                return false
            }
            append(
                record, from: correlation.start, to: correlation.end,
                kind: ObservationKind.json(of: .correlation(correlation.type))
            ) { bytes in
                bytes.append(contentsOf: components)
            }
            return true
        case .workout(let workout):
            append(
                record, from: workout.start, to: workout.end,
                kind: ObservationKind.json(of: .workout)
            ) { bytes in
                Self.append(
                    valueCode: (FHIRSystem.activity, workout.activity.name), to: &bytes)
                bytes.append(contentsOf: ObservationComponents.json(of: workout))
            }
            return true
        case .event, .deletion: return false
        }
    }

    /// Begins the next entry; false when the batch has one of this id already.
    private mutating func beginEntry(of id: RecordID) -> Bool {
        guard ids.insert(id).inserted else { return false }
        bytes.append(ids.count == 1 ? ",\"entry\":[" : ",")
        return true
    }

    /// Appends the members common to all Observations, and the value.
    private mutating func append(
        _ record: Record, from start: Instant, to end: Instant, kind: [UInt8],
        value appendValue: (inout [UInt8]) -> Void
    ) {
        let id = record.id
        guard beginEntry(of: id) else { return }
        bytes.append("{\"fullUrl\":\"urn:uuid:")
        id.append(to: &bytes)
        bytes.append("\",\"resource\":{\"resourceType\":\"Observation\"")
        let hasDevice = appendDevice(record.device)
        bytes.append(",\"identifier\":[{\"system\":\"urn:ietf:rfc:3986\",\"value\":\"urn:uuid:")
        id.append(to: &bytes)
        bytes.append("\"}],\"status\":\"final\"")
        bytes.append(contentsOf: kind)
        appendSubject(record.person)
        appendTime(from: start, to: end)
        appendValue(&bytes)
        bytes.append(hasDevice ? ",\"device\":{\"reference\":\"#device\"}}" : "}")
        appendRequest(id)
    }

    /// Appends the member `valueQuantity`.
    static func append(_ value: Double, in unit: UCUMUnit, to bytes: inout [UInt8]) {
        bytes.append("\"valueQuantity\":{\"value\":")
        Number.append(value, to: &bytes)
        bytes.append(contentsOf: unit.json)
        bytes.append("}")
    }

    /// Appends the member `valueCodeableConcept`, with a comma before it, unless the category has no values.
    static func append(valueOf sample: CategorySample, to bytes: inout [UInt8]) {
        guard sample.valueName != "notApplicable" else { return }
        append(valueCode: (FHIRSystem.value, sample.valueName), to: &bytes)
    }

    /// Appends the member `valueCodeableConcept`, with a comma before it.
    private static func append(
        valueCode: (system: String, code: String), to bytes: inout [UInt8]
    ) {
        bytes.append(",\"valueCodeableConcept\":{\"coding\":[")
        ObservationKind.append(valueCode, to: &bytes)
        bytes.append("],\"text\":")
        bytes.appendJSONString(valueCode.code)
        bytes.append("}")
    }

    mutating func finish() -> [UInt8] {
        bytes.append(ids.isEmpty ? "}" : "]}")
        return bytes
    }

    private mutating func appendDevice(_ device: Device?) -> Bool {
        guard let device else { return false }
        let text = devices.text(of: device, orMake: ContainedDevice.json)
        guard !text.isEmpty else { return false }
        bytes.append(",\"contained\":[")
        bytes.append(contentsOf: text)
        bytes.append("]")
        return true
    }

    private mutating func appendSubject(_ person: String?) {
        guard let person else { return }
        bytes.append(",\"subject\":{\"type\":\"Patient\",\"identifier\":{\"system\":\"")
        bytes.append(contentsOf: FHIRSystem.person.utf8)
        bytes.append("\",\"value\":")
        bytes.appendJSONString(person)
        bytes.append("}}")
    }

    private mutating func appendTime(from start: Instant, to end: Instant) {
        if start == end {
            bytes.append(",\"effectiveDateTime\":\"")
            start.appendISO8601(to: &bytes)
            bytes.append("\"")
        } else {
            bytes.append(",\"effectivePeriod\":{\"start\":\"")
            start.appendISO8601(to: &bytes)
            bytes.append("\",\"end\":\"")
            end.appendISO8601(to: &bytes)
            bytes.append("\"}")
        }
    }

    private mutating func appendRequest(_ id: RecordID) {
        bytes.append(",\"request\":{\"method\":\"POST\",\"url\":\"Observation\",\"ifNoneExist\":\"")
        appendCondition(id)
        bytes.append("\"}}")
    }

    private mutating func appendCondition(_ id: RecordID) {
        bytes.append("identifier=urn:ietf:rfc:3986|urn:uuid:")
        id.append(to: &bytes)
    }
}
