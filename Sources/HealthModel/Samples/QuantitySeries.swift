/// Many values of one type, each with its time, as one value.
public struct QuantitySeries: Hashable, Sendable {
    /// The most entries.
    public static let maximumCount = 1 << 20

    /// A value and its time.
    public struct Entry: Hashable, Sendable {
        /// The beginning of the time the value is of.
        public let start: Instant
        /// The end of that time; equal to `start` for a value of an instant.
        public let end: Instant
        /// The value, in the unit it was given in.
        public let quantity: Quantity
    }

    /// What was measured.
    public let type: QuantityType
    /// The name of the person; nil when it is not known.
    public let person: String?
    /// The device that measured.
    public let device: Device?
    /// What produced the values.
    public let source: SourceRevision?
    /// Further facts.
    public let metadata: Metadata

    private var entriesByStart: [Instant: Entry] = [:]

    /// Makes an empty series.
    /// - Throws: when the person's name is not valid.
    public init(
        type: QuantityType, person: String? = nil, device: Device? = nil,
        source: SourceRevision? = nil, metadata: Metadata = Metadata()
    ) throws(SampleError) {
        if let person, !Person.isValidName(person) { throw .person }
        self.type = type
        self.person = person
        self.device = device
        self.source = source
        self.metadata = metadata
    }

    /// Puts in a value; one of the same start is replaced.
    ///
    /// Any order will do.
    /// - Throws: when the unit does not fit the type, the times are in the wrong order or, for what adds up,
    ///   the same, or there is no room.
    public mutating func insert(
        _ quantity: Quantity, from start: Instant, to end: Instant
    ) throws(SampleError) {
        // The rules are those of a sample, which is what it becomes.
        _ = try QuantitySample(
            id: RecordID(high: 0, low: 0), type: type, start: start, end: end, quantity: quantity)
        guard entriesByStart[start] != nil || count < Self.maximumCount else {
            throw .seriesIsFull(type: type.name)
        }
        entriesByStart[start] = Entry(start: start, end: end, quantity: quantity)
    }

    /// How many values there are.
    public var count: Int { entriesByStart.count }

    /// The entries, in the order of their starts, of which no two are the same.
    public var entries: [Entry] { entriesByStart.values.sorted { $0.start < $1.start } }

    /// The values as samples of their own.
    ///
    /// - Parameter seed: What makes their ids: the same entries and seed give the same ids.
    public func samples(seed: RecordID.Seed) -> [QuantitySample] {
        entries.compactMap { entry in
            // An entry has been a sample once; none is left out.
            try? QuantitySample(
                id: RecordID(start: entry.start, seed: seed, key: 0), type: type,
                start: entry.start, end: entry.end, quantity: entry.quantity, person: person,
                device: device, source: source, metadata: metadata)
        }
    }

    package static let noSeed = RecordID.Seed(device: "", stream: "")
}
