/// Something that was so for a time, as sleep, with where it comes from.
public struct CategorySample: Hashable, Sendable {
    /// The name of this sample for life.
    public let id: RecordID
    /// What it tells.
    public let type: CategoryType
    /// When it began.
    public let start: Instant
    /// When it ended; equal to `start` for what happened at an instant.
    public let end: Instant
    /// Which of the type's values it was.
    public let value: Int
    /// The name of the person; nil when it is not known.
    public let person: String?
    /// The device that told it.
    public let device: Device?
    /// What produced the sample.
    public let source: SourceRevision?
    /// Further facts.
    public let metadata: Metadata

    /// Makes a sample.
    /// - Throws: when the type has no such value, the times are in the wrong order, or the person's
    ///   name is not valid.
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

    /// The name of the value, as `asleepDeep`.
    public var valueName: String { type.nameOfValue(value) ?? "" }
}
