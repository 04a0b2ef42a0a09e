/// A group of related samples, such as the two values of a blood pressure, as one record.
///
/// Each member is a sample with its own id, person, device and times.
public struct Correlation: Hashable, Sendable {
    /// The maximum number of members.
    public static let maximumCount = 64

    /// A sample in a correlation; correlations cannot be nested.
    public enum Member: Hashable, Sendable {
        /// A quantity sample.
        case quantity(QuantitySample)
        /// A category sample.
        case category(CategorySample)

        /// The permanent id of the sample.
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

    /// The permanent id of this correlation.
    public let id: RecordID
    /// The type of the correlation.
    public let type: CorrelationType
    /// The start of the time.
    public let start: Instant
    /// The end of the time; equal to `start` for an instant.
    public let end: Instant
    /// The members, sorted by their ids, as they are a set.
    public let samples: [Member]
    /// The name of the person; nil when it is unknown.
    public let person: String?
    /// The device that measured.
    public let device: Device?
    /// The software that produced the correlation.
    public let source: SourceRevision?
    /// Additional facts.
    public let metadata: Metadata

    /// Makes a correlation.
    /// - Throws: when the members do not match the type, share an id or are too many, the end is
    /// before
    ///   the start, or the person's name is not valid.
    public init(
        id: RecordID, type: CorrelationType, start: Instant, end: Instant, samples: [Member],
        person: String? = nil, device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws(SampleError) {
        try self.init(
            withoutLengthLimit: id, type: type, start: start, end: end, samples: samples,
            person: person,
            device: device, source: source, metadata: metadata)
        // A single member can nearly fill a line.
        guard RecordEncoder.length(of: self) <= RecordDecoder.maximumLineLength else {
            throw .tooLong(type: type.name)
        }
    }

    /// Makes a correlation without a limit of its length as JSON, such as one whose members were
    /// stored before it with more metadata.
    /// - Throws: the errors of the other initializer, except `tooLong`.
    package init(
        withoutLengthLimit id: RecordID, type: CorrelationType, start: Instant, end: Instant,
        samples: [Member], person: String?, device: Device?, source: SourceRevision?,
        metadata: Metadata
    ) throws(SampleError) {
        guard start <= end else { throw .endBeforeStart(type: type.name) }
        guard samples.count <= Self.maximumCount else { throw .tooManyMembers(type: type.name) }
        guard type.allows(samples) else {
            throw .members(type: type.name, expected: type.expectedMembers)
        }
        guard Set(samples.map(\.id)).union([id]).count == samples.count + 1 else {
            throw .duplicateID(type: type.name)
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
