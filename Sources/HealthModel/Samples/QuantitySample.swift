/// A sample of a quantity: a measured value with its time and origin.
public struct QuantitySample: Hashable, Sendable {
    /// The permanent id of this sample.
    public let id: RecordID
    /// The start of the time.
    public let start: Instant
    /// The end of the time; equal to `start` for an instant.
    public let end: Instant
    private let value: Double
    private let origin: SampleOrigin

    /// The type of the sample.
    public var type: QuantityType { origin.type }
    /// The value, in its original unit.
    public var quantity: Quantity { Quantity(finite: value, origin.unit) }
    /// The name of the person; nil when it is unknown.
    public var person: String? { origin.person }
    /// The device that measured.
    public var device: Device? { origin.device }
    /// The software that produced the sample.
    public var source: SourceRevision? { origin.source }
    /// Additional facts.
    public var metadata: Metadata { origin.metadata }

    /// Makes a sample.
    ///
    /// Plausibility is not checked.
    /// - Throws: when the unit is not compatible with the type, the end is before the start, or the
    ///   person's name is not valid.
    public init(
        id: RecordID, type: QuantityType, start: Instant, end: Instant, quantity: Quantity,
        person: String? = nil, device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws(SampleError) {
        try self.init(
            sharing: nil, id: id, type: type, start: start, end: end, quantity: quantity,
            person: person, device: device, source: source, metadata: metadata)
    }

    /// Makes a sample, which shares the memory of what it has in common with another one of its
    /// stream.
    package init(
        sharing other: QuantitySample?, id: RecordID, type: QuantityType, start: Instant,
        end: Instant, quantity: Quantity, person: String?, device: Device?,
        source: SourceRevision?, metadata: Metadata
    ) throws(SampleError) {
        let known = other?.origin
        let isShared = known?.hasSameText(
            type, quantity.unit, person, device, source, metadata)
        if let known, isShared == true {
            try self.init(id: id, start: start, end: end, value: quantity.value, of: known)
            return
        }
        guard type.canonicalUnit.isCompatible(with: quantity.unit) else {
            throw .unitDoesNotFit(type: type.name, unit: quantity.unit.string)
        }
        try self.init(
            id: id, start: start, end: end, value: quantity.value,
            of: SampleOrigin(
                type: type, unit: quantity.unit, person: person, device: device, source: source,
                metadata: metadata))
        if let person, !Person.isValidName(person) { throw .person }
    }

    /// Makes a sample of a valid origin.
    private init(
        id: RecordID, start: Instant, end: Instant, value: Double, of origin: SampleOrigin
    ) throws(SampleError) {
        guard start <= end else { throw .endBeforeStart(type: origin.type.name) }
        guard start.adding(nanoseconds: .max) >= end else {
            throw .tooLongTime(type: origin.type.name)
        }
        guard !origin.type.isCumulative || start < end else {
            throw .emptyInterval(type: origin.type.name)
        }
        self.id = id
        self.start = start
        self.end = end
        self.value = value
        self.origin = origin
    }

    /// A sample of the same stream with another time and value; nil when these are not valid.
    func with(id: RecordID, start: Instant, end: Instant, value: Double) -> QuantitySample? {
        guard value.isFinite else { return nil }
        return try? QuantitySample(id: id, start: start, end: end, value: value, of: origin)
    }

    /// A sample of the same stream with another time and value; nil when these are not valid, or the
    /// value has another unit.
    package func with(
        id: RecordID, start: Instant, end: Instant, quantity: Quantity
    ) -> QuantitySample? {
        guard quantity.unit == origin.unit else { return nil }
        return with(id: id, start: start, end: end, value: quantity.value)
    }

    /// Whether both have the same type, unit, person, device, source and metadata, byte for byte.
    package func isOfSameStream(as other: QuantitySample) -> Bool {
        origin.hasSameText(as: other.origin)
    }
}

/// An error of invalid values for a sample.
public enum SampleError: Error, Equatable, CustomStringConvertible {
    /// The unit is not compatible with the type.
    case unitDoesNotFit(type: String, unit: String)
    /// The end is earlier than the start.
    case endBeforeStart(type: String)
    /// The time between start and end is longer than 292 years.
    case tooLongTime(type: String)
    /// A sample of a cumulative type has no duration.
    case emptyInterval(type: String)
    /// The person's name is not valid.
    case person
    /// The category type has no such value.
    case unknownValue(type: String)
    /// The members of a correlation do not match its type.
    case members(type: String, expected: String)
    /// A correlation has too many members.
    case tooManyMembers(type: String)
    /// A correlation and its members have duplicate ids.
    case duplicateID(type: String)
    /// A correlation is too long for a line.
    case tooLong(type: String)
    /// A series has too many values.
    case seriesTooLong(type: String, limit: Int)

    /// The message, without the value.
    public var description: String {
        switch self {
        case .unitDoesNotFit(let type, let unit):
            "the unit \(unit) is not compatible with \(type); use a compatible unit"
        case .endBeforeStart(let type): "a sample of \(type) ends before it starts"
        case .tooLongTime(let type): "a sample of \(type) must not be longer than 292 years"
        case .emptyInterval(let type):
            "a sample of \(type) is cumulative, so its end must be later than its start"
        case .person: PersonError.name.description
        case .unknownValue(let type):
            "unknown value of \(type); known: \(Self.values(ofType: type))"
        case .members(let type, let expected): "the samples of \(type) must be \(expected)"
        case .tooManyMembers(let type):
            "\(type) must have at most \(Correlation.maximumCount) samples; split it"
        case .duplicateID(let type):
            "duplicate id in \(type); use a different id for the correlation and each sample"
        case .tooLong(let type):
            "\(type) must be at most \(RecordDecoder.maximumLineLength) bytes as JSON; split it"
        case .seriesTooLong(let type, let limit):
            "a series of \(type) must have at most \(limit) values; split it"
        }
    }

    private static func values(ofType name: String) -> String {
        let values = CategoryType.named(name)?.values ?? []
        return values.map { "\($0.number) (\($0.name))" }.joined(separator: ", ")
    }
}
