import HealthModel

/// Writes a FHIR R4 transaction with an Observation for each sample.
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
/// - A value of an instant has `effectiveDateTime`, another one `effectivePeriod`.
/// - `subject` is a Patient by identifier, the person's name; it is left out when no person is
///   known. The device is contained, with all it has told about itself.
/// - The source's name and the metadata have no place and are left out, and so is a device event:
///   a link that comes and goes is no observation of a person.
struct ObservationBundleWriter: RecordWriter {
    private static let usualEntryLength = 1_536

    private var bytes: [UInt8] = []
    private var ids: Set<RecordID> = []
    private var devices = RecentTexts<Device>()
    private var kinds: [QuantityType: ObservationKind] = [:]

    init(count: Int) {
        bytes.reserveCapacity(count * Self.usualEntryLength)
        ids.reserveCapacity(count)
        bytes.append("{\"resourceType\":\"Bundle\",\"type\":\"transaction\"")
    }

    mutating func append(_ record: Record) -> Bool {
        guard case .sample(let sample) = record else { return false }
        let kind = ObservationKind.of(sample.type, &kinds)
        guard let value = kind.unit.value(of: sample.quantity) else { return false }
        guard ids.insert(sample.id).inserted else { return true }
        bytes.append(ids.count == 1 ? ",\"entry\":[" : ",")
        bytes.append("{\"fullUrl\":\"urn:uuid:")
        sample.id.append(to: &bytes)
        bytes.append("\",\"resource\":{\"resourceType\":\"Observation\"")
        let hasDevice = appendDevice(sample.device)
        bytes.append(",\"identifier\":[{\"system\":\"urn:ietf:rfc:3986\",\"value\":\"urn:uuid:")
        sample.id.append(to: &bytes)
        bytes.append("\"}],\"status\":\"final\"")
        bytes.append(contentsOf: kind.json)
        appendSubject(sample.person)
        appendTime(of: sample)
        bytes.append(",\"valueQuantity\":{\"value\":")
        Number.append(value, to: &bytes)
        bytes.append(contentsOf: kind.unit.json)
        bytes.append(hasDevice ? "},\"device\":{\"reference\":\"#device\"}}" : "}}")
        appendRequest(sample.id)
        return true
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

    private mutating func appendTime(of sample: QuantitySample) {
        if sample.start == sample.end {
            bytes.append(",\"effectiveDateTime\":\"")
            sample.start.appendISO8601(to: &bytes)
            bytes.append("\"")
        } else {
            bytes.append(",\"effectivePeriod\":{\"start\":\"")
            sample.start.appendISO8601(to: &bytes)
            bytes.append("\",\"end\":\"")
            sample.end.appendISO8601(to: &bytes)
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
