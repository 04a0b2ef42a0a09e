import HealthModel
import JSON

/// Writes a FHIR R4 transaction with an Observation for each sample, each correlation and each workout.
///
/// The rules are those of FHIR R4 (4.0.1): http.html "Transactions" and "Conditional create",
/// bundle.html, observation.html, observation-vitalsigns.html.
///
/// - Each entry is a conditional create by the sample's id, so a transaction that is sent again
///   stores nothing twice. An id that comes twice in a batch is written once: a Bundle may not name
///   the same thing twice.
/// - `code` has the LOINC code where one is published for the type, and always a code of ours, which
///   is the type's name. The category `vital-signs` is there where FHIR's own table has the type.
/// - The value is in the UCUM unit that goes with the code; a percentage counts to 100.
/// - A category's value is a `valueCodeableConcept` with a code of ours, HealthKit's name; one that only
///   tells that something was has no value.
/// - A correlation is one Observation whose components are its members: a blood pressure is the panel
///   85354-9. What its members say of person, device and time is not in a component.
/// - A workout is one Observation whose value is its activity and whose components are its duration without
///   the pauses, its sums, and the average, lowest and highest value of what is not counted, in codes of ours.
///   Its laps and pauses have no place.
/// - A value of an instant has `effectiveDateTime`, another one `effectivePeriod`.
/// - `subject` is a Patient by identifier, the person's name; it is left out when no person is
///   known. The device is contained, with all it has told about itself.
/// - The source's name and the metadata have no place and are left out, and so is a device event:
///   a link that comes and goes is no observation of a person.
struct ObservationBundleWriter: RecordWriter {
    private static let defaultEntryLength = 1_536

    private var bytes: [UInt8] = []
    private var ids: Set<RecordID> = []
    private var devices = RecentTexts<Device>()
    private var kinds: [QuantityType: ObservationKind] = [:]

    init(count: Int) {
        bytes.reserveCapacity(count * Self.defaultEntryLength)
        ids.reserveCapacity(count)
        bytes.append("{\"resourceType\":\"Bundle\",\"type\":\"transaction\"")
    }

    mutating func append(_ record: Record) -> Bool {
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
        case .event: return false
        }
    }

    /// Appends what every Observation says, and its value.
    private mutating func append(
        _ record: Record, from start: Instant, to end: Instant, kind: [UInt8],
        value appendValue: (inout [UInt8]) -> Void
    ) {
        let id = record.id
        guard ids.insert(id).inserted else { return }
        bytes.append(ids.count == 1 ? ",\"entry\":[" : ",")
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

    /// Appends the member `valueCodeableConcept`, with a comma before it, where there is something to say.
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
        bytes.append("identifier=urn:ietf:rfc:3986|urn:uuid:")
        id.append(to: &bytes)
        bytes.append("\"}}")
    }
}
