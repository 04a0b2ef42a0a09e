/// Samples that belong together, as the two pressures of one measurement: one record.
///
/// Each member is a sample with an id of its own. Members need have nothing in common: person, device
/// and times are those that each of them says.
public struct Correlation: Hashable, Sendable {
    /// The most members.
    public static let maximumCount = 64

    /// A sample in a correlation; another correlation cannot be one.
    public enum Member: Hashable, Sendable {
        /// A measured value.
        case quantity(QuantitySample)
        /// Something that was so.
        case category(CategorySample)

        /// The name of the sample for life.
        public var id: RecordID {
            switch self {
            case .quantity(let sample): sample.id
            case .category(let sample): sample.id
            }
        }

        /// The name of the sample's type.
        public var typeName: String {
            switch self {
            case .quantity(let sample): sample.type.name
            case .category(let sample): sample.type.name
            }
        }
    }

    /// The name of this correlation for life.
    public let id: RecordID
    /// What the members are together.
    public let type: CorrelationType
    /// The beginning of the time it is of.
    public let start: Instant
    /// The end of that time; equal to `start` for an instant.
    public let end: Instant
    /// The members, in the order of their ids: they are a set.
    public let samples: [Member]
    /// The name of the person; nil when it is not known.
    public let person: String?
    /// The device that measured.
    public let device: Device?
    /// What produced the correlation.
    public let source: SourceRevision?
    /// Further facts.
    public let metadata: Metadata

    /// Makes a correlation.
    /// - Throws: when the members do not make up the type, share an id or are too many, the times are in
    ///   the wrong order, or the person's name is not valid.
    public init(
        id: RecordID, type: CorrelationType, start: Instant, end: Instant, samples: [Member],
        person: String? = nil, device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws(SampleError) {
        try self.init(
            ofAnyLength: id, type: type, start: start, end: end, samples: samples, person: person,
            device: device, source: source, metadata: metadata)
        // A member alone can nearly fill a line.
        guard RecordEncoder.length(of: self) <= RecordDecoder.maximumLineLength else {
            throw .tooLong(type: type.name)
        }
    }

    /// Makes a correlation that need not fit a line, as one whose members were stored before it with more
    /// metadata than they have in it.
    /// - Throws: as the other one, but never that it is too long.
    package init(
        ofAnyLength id: RecordID, type: CorrelationType, start: Instant, end: Instant,
        samples: [Member], person: String?, device: Device?, source: SourceRevision?,
        metadata: Metadata
    ) throws(SampleError) {
        guard start <= end else { throw .endBeforeStart(type: type.name) }
        guard samples.count <= Self.maximumCount else { throw .tooManyMembers(type: type.name) }
        guard type.allows(samples) else {
            throw .members(type: type.name, expected: type.expectedMembers)
        }
        guard Set(samples.map(\.id)).union([id]).count == samples.count + 1 else {
            throw .repeatedID(type: type.name)
        }
        if let person, !Person.isValidName(person) { throw .person }
        self.id = id
        self.type = type
        self.start = start
        self.end = end
        self.samples = samples.sorted { $0.id < $1.id }
        self.person = person
        self.device = device
        self.source = source
        self.metadata = metadata
    }
}
