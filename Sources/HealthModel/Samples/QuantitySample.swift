/// A sample of a quantity: a measured value with its time and origin.
public struct QuantitySample: Hashable, Sendable {
    /// The permanent id of this sample.
    public let id: RecordID
    /// The type of the sample.
    public let type: QuantityType
    /// The start of the time.
    public let start: Instant
    /// The end of the time; equal to `start` for an instant.
    public let end: Instant
    /// The value, in its original unit.
    public let quantity: Quantity
    /// The name of the person; nil when it is unknown.
    public let person: String?
    /// The device that measured.
    public let device: Device?
    /// The software that produced the sample.
    public let source: SourceRevision?
    /// Additional facts.
    public let metadata: Metadata

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
        guard type.canonicalUnit.isCompatible(with: quantity.unit) else {
            throw .unitDoesNotFit(type: type.name, unit: quantity.unit.string)
        }
        guard start <= end else { throw .endBeforeStart(type: type.name) }
        guard start.adding(nanoseconds: .max) >= end else { throw .tooLongTime(type: type.name) }
        guard !type.isCumulative || start < end else { throw .emptyInterval(type: type.name) }
        if let person, !Person.isValidName(person) { throw .person }
        self.id = id
        self.type = type
        self.start = start
        self.end = end
        self.quantity = quantity
        self.person = person
        self.device = device
        self.source = source
        self.metadata = metadata
    }

    /// A sample of the same stream with another time and value; nil when the times are not valid.
    func with(id: RecordID, start: Instant, end: Instant, value: Double) -> QuantitySample? {
        guard start <= end, !type.isCumulative || start < end,
            let quantity = try? Quantity(value, quantity.unit)
        else { return nil }
        return QuantitySample(like: self, id: id, start: start, end: end, quantity: quantity)
    }

    /// Makes a sample like `model`, whose other fields are already validated.
    private init(
        like model: QuantitySample, id: RecordID, start: Instant, end: Instant, quantity: Quantity
    ) {
        self.id = id
        type = model.type
        self.start = start
        self.end = end
        self.quantity = quantity
        person = model.person
        device = model.device
        source = model.source
        metadata = model.metadata
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
