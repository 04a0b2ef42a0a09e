import HealthModel
import JSON
import Readings

/// Makes records of the elements of an export, and counts them.
struct AppleRecordMaker {
    /// The maximum number of cached units and devices.
    static let cacheLimit = 256

    let person: String?
    let check: RecordCheck
    var counts = AppleHealthCounts()
    private var units: [String: Unit] = [:]
    private var devices = AppleDevices()

    init(person: String?, check: RecordCheck) {
        self.person = person
        self.check = check
    }

    /// The record of an element below the root; nil when it is left out, which is counted.
    mutating func record(of element: AppleHealthElement) -> Record? {
        switch element.name {
        case "Record": counted(recordSample(element), element)
        case "Correlation": counted(correlation(element), element)
        case "Workout": counted(workout(element), element)
        case "ExportDate": nil
        default: counted(.unknown, element)
        }
    }

    /// The result of an element.
    enum Outcome {
        case record(Record)
        case unknown
        case invalid
    }

    private mutating func counted(_ outcome: Outcome, _ element: AppleHealthElement) -> Record? {
        switch outcome {
        case .record(let record) where check.problem(of: record) == nil:
            counts.addRecord(record.typeName ?? "event")
            return record
        case .record, .invalid: counts.addInvalid(element.typeName)
        case .unknown: counts.addUnknown(element.typeName)
        }
        return nil
    }

    private mutating func recordSample(_ element: AppleHealthElement) -> Outcome {
        let name = element["type"] ?? ""
        if let type = QuantityTypes.standard.named(name), type.healthKitIdentifier == name {
            return quantitySample(type, element).map { .record(.sample($0)) } ?? .invalid
        }
        if let type = CategoryType.named(name), type.healthKitIdentifier == name {
            return categorySample(type, element).map { .record(.category($0)) } ?? .invalid
        }
        return .unknown
    }

    private mutating func quantitySample(
        _ type: QuantityType, _ element: AppleHealthElement
    ) -> QuantitySample? {
        guard let origin = origin(of: element),
            let quantity = quantity(element["value"], unit: element["unit"]),
            type.isPlausible(quantity), let value = try? quantity.value(in: type.canonicalUnit)
        else { return nil }
        // The times are whole seconds, so a count within a second has no duration in the file.
        let isEmpty = type.isCumulative && origin.start == origin.end
        return try? QuantitySample(
            id: origin.id(of: type.name, value: value), type: type, start: origin.start,
            end: isEmpty ? origin.start.adding(nanoseconds: 1_000_000_000) : origin.end,
            quantity: quantity, person: person, device: origin.device, source: origin.source,
            metadata: metadata(of: element))
    }

    private mutating func categorySample(
        _ type: CategoryType, _ element: AppleHealthElement
    ) -> CategorySample? {
        guard let origin = origin(of: element),
            let value = AppleCategoryValue.number(element["value"], of: type)
        else { return nil }
        return try? CategorySample(
            id: origin.id(of: type.name, value: Double(value)), type: type, start: origin.start,
            end: origin.end, value: value, person: person, device: origin.device,
            source: origin.source, metadata: metadata(of: element))
    }

    /// A correlation; its members are top-level elements too, and have the same ids there.
    private mutating func correlation(_ element: AppleHealthElement) -> Outcome {
        guard let type = CorrelationType.named(element["type"] ?? "") else { return .unknown }
        guard let origin = origin(of: element) else { return .invalid }
        var members: [Correlation.Member] = []
        for child in element.children {
            switch recordSample(child) {
            case .record(.sample(let sample)): members.append(.quantity(sample))
            case .record(.category(let sample)): members.append(.category(sample))
            // As a top-level element it is counted there.
            case .record, .invalid, .unknown: continue
            }
        }
        let correlation = try? Correlation(
            id: origin.id(of: type.name, value: 0), type: type, start: origin.start,
            end: origin.end, samples: members, person: person, device: origin.device,
            source: origin.source, metadata: metadata(of: element))
        return correlation.map { .record(.correlation($0)) } ?? .invalid
    }

    // MARK: Parts

    /// The times and the origin of an element; nil when a time is not valid.
    mutating func origin(of element: AppleHealthElement) -> AppleOrigin? {
        guard let start = time(of: element, "startDate", exact: AppleHealthKeys.start),
            let end = time(of: element, "endDate", exact: AppleHealthKeys.end), start <= end,
            end.nanoseconds(since: start) <= RecordTimeBounds.maximumNanoseconds
        else { return nil }
        return AppleOrigin(
            givenID: element.metadata[AppleHealthKeys.id].flatMap { RecordID(uuidString: $0) },
            person: person, start: start, end: end,
            created: AppleTime.instant(element["creationDate"]),
            device: element["device"].flatMap { devices.device($0) },
            source: source(of: element))
    }

    /// The exact time of a record of Pulsegate, else that of an attribute.
    func time(
        of element: AppleHealthElement, _ attribute: String, exact key: String
    ) -> Instant? {
        element.metadata[key].flatMap { Instant(iso8601: $0) }
            ?? AppleTime.instant(element[attribute])
    }

    /// The source of an element; nil without a name, which the format requires.
    private func source(of element: AppleHealthElement) -> SourceRevision? {
        guard let name = element["sourceName"], !name.isEmpty else { return nil }
        return SourceRevision(name: name, version: element["sourceVersion"])
    }

    mutating func quantity(_ value: String?, unit: String?) -> Quantity? {
        guard let value = value.flatMap({ Double(decimal: $0) }), let unit = self.unit(unit ?? "")
        else {
            return nil
        }
        return try? Quantity(value, unit)
    }

    private mutating func unit(_ text: String) -> Unit? {
        if let known = units[text] { return known }
        guard let unit = try? Unit(parsing: text) else { return nil }
        if units.count >= Self.cacheLimit { units.removeAll() }
        units[text] = unit
        return unit
    }

    /// The metadata of an element; entries that the model cannot hold are counted.
    mutating func metadata(of element: AppleHealthElement) -> Metadata {
        var entries = element.metadata
        for key in AppleHealthKeys.all { entries[key] = nil }
        guard !entries.isEmpty else { return Metadata() }
        let typed = element.metadata[AppleHealthKeys.metadata].flatMap { try? Metadata(json: $0) }
        let (metadata, omitted) = AppleMetadata.make(entries, typed: typed ?? Metadata())
        counts.addInvalid("MetadataEntry", count: omitted)
        return metadata
    }
}
