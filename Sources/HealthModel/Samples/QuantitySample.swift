/// One measured value with its time, and where it comes from.
public struct QuantitySample: Hashable, Sendable {
    /// The name of this sample for life.
    public let id: RecordID
    /// What was measured.
    public let type: QuantityType
    /// The beginning of the time the value is of.
    public let start: Instant
    /// The end of that time; equal to `start` for a value of an instant.
    public let end: Instant
    /// The value, in the unit it was given in.
    public let quantity: Quantity
    /// The name of the person; nil when it is not known.
    public let person: String?
    /// The device that measured.
    public let device: Device?
    /// What produced the sample.
    public let source: SourceRevision?
    /// Further facts.
    public let metadata: Metadata

    /// Makes a sample.
    ///
    /// Whether the value is plausible is not asked here.
    /// - Throws: when the unit does not fit the type, the times are in the wrong order, or the
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

    /// The sample of the same stream with another time and value; nil when the times do not fit.
    func with(id: RecordID, start: Instant, end: Instant, value: Double) -> QuantitySample? {
        guard start <= end, !type.isCumulative || start < end,
            let quantity = try? Quantity(value, quantity.unit)
        else { return nil }
        return QuantitySample(like: self, id: id, start: start, end: end, quantity: quantity)
    }

    /// What does not depend on the time was checked when `model` was made.
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

/// A sample cannot be made.
public enum SampleError: Error, Equatable, CustomStringConvertible {
    /// The unit does not measure what the type is.
    case unitDoesNotFit(type: String, unit: String)
    /// The end is earlier than the start.
    case endBeforeStart(type: String)
    /// A count has to cover a time.
    case emptyInterval(type: String)
    /// The person's name is not valid.
    case person
    /// The type of a category has no such value.
    case unknownValue(type: String)
    /// The members of a correlation are not what its type consists of.
    case members(type: String, expected: String)
    /// A correlation has too many members.
    case tooManyMembers(type: String)
    /// Two of a correlation and its members have the same id.
    case repeatedID(type: String)
    /// A correlation does not fit a line.
    case tooLong(type: String)
    /// A series has no room.
    case seriesIsFull(type: String)

    /// The message, without the value.
    public var description: String {
        switch self {
        case .unitDoesNotFit(let type, let unit):
            "the unit \(unit) does not fit \(type); use \(type)'s own or one that measures the same"
        case .endBeforeStart(let type): "a sample of \(type) ends before it starts"
        case .emptyInterval(let type):
            "a sample of \(type) counts something, so its end must be later than its start"
        case .person: PersonError.name.description
        case .unknownValue(let type):
            "\(type) has no such value; it has \(Self.values(ofType: type))"
        case .members(let type, let expected): "the samples of a \(type) must be \(expected)"
        case .tooManyMembers(let type):
            "a \(type) has more than \(Correlation.maximumCount) samples; split it"
        case .repeatedID(let type):
            "in a \(type) an id comes twice; it and each of its samples have one of their own"
        case .tooLong(let type):
            "a \(type) is longer than \(RecordDecoder.maximumLineLength) bytes as JSON; split it"
        case .seriesIsFull(let type):
            "a series of \(type) has at most \(QuantitySeries.maximumCount) values; split it"
        }
    }

    private static func values(ofType name: String) -> String {
        let values = CategoryType.named(name)?.values ?? []
        return values.map { "\($0.number) (\($0.name))" }.joined(separator: ", ")
    }
}
