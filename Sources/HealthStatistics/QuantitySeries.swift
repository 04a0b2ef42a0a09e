public import HealthModel

/// A series of values of one type, each with its time.
public struct QuantitySeries: Hashable, Sendable {
    /// The maximum number of entries.
    public static let maximumCount = 1 << 20

    /// A value and its time.
    public struct Entry: Hashable, Sendable {
        /// The start of the time.
        public let start: Instant
        /// The end of the time; equal to `start` for an instant.
        public let end: Instant
        /// The value, in its original unit.
        public let quantity: Quantity
    }

    /// The type of the values.
    public let type: QuantityType
    /// The name of the person; nil when it is unknown.
    public let person: String?
    /// The device that measured.
    public let device: Device?
    /// The software that produced the values.
    public let source: SourceRevision?
    /// Additional facts.
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

    /// Inserts a value, in any order; replaces the value with the same start.
    ///
    /// - Throws: when the unit is not compatible with the type, the end is before the start or, for a
    ///   cumulative type, equal to it, or the series is full.
    public mutating func insert(
        _ quantity: Quantity, from start: Instant, to end: Instant
    ) throws(SampleError) {
        // The entry must be valid as a sample.
        _ = try QuantitySample(
            id: RecordID(high: 0, low: 0), type: type, start: start, end: end, quantity: quantity)
        guard entriesByStart[start] != nil || count < Self.maximumCount else {
            throw .seriesTooLong(type: type.name, limit: Self.maximumCount)
        }
        entriesByStart[start] = Entry(start: start, end: end, quantity: quantity)
    }

    /// The number of values.
    public var count: Int { entriesByStart.count }

    /// The entries, sorted by start; no two have the same start.
    public var entries: [Entry] { entriesByStart.values.sorted { $0.start < $1.start } }

    /// The values as individual samples.
    ///
    /// - Parameter seed: The seed of the ids: the same entries and seed give the same ids.
    public func samples(seed: RecordID.Seed) -> [QuantitySample] {
        entries.compactMap { entry in
            // Every entry was validated as a sample, so none is dropped.
            try? QuantitySample(
                id: RecordID(start: entry.start, seed: seed, key: 0), type: type,
                start: entry.start, end: entry.end, quantity: entry.quantity, person: person,
                device: device, source: source, metadata: metadata)
        }
    }

    static let noSeed = RecordID.Seed(device: "", stream: "")
}
