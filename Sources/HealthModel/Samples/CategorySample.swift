/// A sample of a category type, such as sleep, with its time and origin.
public struct CategorySample: Hashable, Sendable {
    /// The permanent id of this sample.
    public let id: RecordID
    /// The type of the sample.
    public let type: CategoryType
    /// The start of the time.
    public let start: Instant
    /// The end of the time; equal to `start` for an instant.
    public let end: Instant
    /// The number of one of the type's values.
    public let value: Int
    /// The name of the person; nil when it is unknown.
    public let person: String?
    /// The device that recorded the sample.
    public let device: Device?
    /// The software that produced the sample.
    public let source: SourceRevision?
    /// Additional facts.
    public let metadata: Metadata

    /// Makes a sample.
    /// - Throws: when the type has no such value, the end is before the start, or the person's name
    /// is
    ///   not valid.
    public init(
        id: RecordID, type: CategoryType, start: Instant, end: Instant, value: Int,
        person: String? = nil, device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws(SampleError) {
        guard type.nameOfValue(value) != nil else { throw .unknownValue(type: type.name) }
        guard start <= end else { throw .endBeforeStart(type: type.name) }
        if let person, !Person.isValidName(person) { throw .person }
        self.id = id
        self.type = type
        self.start = start
        self.end = end
        self.value = value
        self.person = person
        self.device = device
        self.source = source
        self.metadata = metadata
    }

    /// The name of the value, such as `asleepDeep`.
    public var valueName: String { type.nameOfValue(value) ?? "" }
}
