public import HealthModel
public import JSON

/// The options of every sink in addition to its own settings: types, batches, buffer and start position.
public struct SinkOptions: Sendable, Hashable {
    /// The types of the records to deliver; nil for all types and device events.
    ///
    /// A correlation is selected by its own type, not by those of its members. A change applies to
    /// later records only.
    public var types: Set<RecordType>?
    /// The limits of the buffer.
    public var buffer = BufferLimit()
    /// Where it starts if it is new to the journal.
    public var startPosition = StartPosition.now
    /// The limits of a batch.
    public var batch = BatchLimit()
    /// The previous name, whose cursor and account are continued.
    public var previousName: String?

    /// The limits of a batch.
    public struct BatchLimit: Sendable, Hashable {
        /// The maximum number of records.
        public var count = 1_000
        /// The maximum size of the JSON lines in bytes; a longer record is a batch of its own.
        public var bytes: Int64 = 1 << 20
        /// The maximum wait for a batch to fill.
        ///
        /// With 0 it does not wait, except that under continuous load there is one batch per
        /// second.
        public var seconds = 0.0

        /// Makes the default limits.
        public init() {}
    }

    /// Makes the default options.
    public init() {}
}

extension SinkOptions {
    /// The keys with their meanings.
    public static let settings = [
        PluginDescription.Setting(
            "types", "types of the records to deliver", kind: .strings, default: "all"),
        PluginDescription.Setting(
            "buffer", "limits of pending records: { maxSize, maxAge, whenFull }", kind: .object,
            default: "1 GiB, dropOldest", keys: BufferLimit.settings),
        PluginDescription.Setting(
            "batch", "limits of a batch: { count, size, seconds }", kind: .object,
            default: "1000 records, 1 MiB, no fixed wait", keys: batchSettings),
        PluginDescription.Setting(
            "from",
            "start position of a new sink: `now`, or `start` for all records in the journal",
            kind: .words(StartPosition.allCases.map(\.rawValue)), default: "now"),
        PluginDescription.Setting(
            "previousName", "previous name of the sink, to continue from its position",
            default: "none"),
    ]

    /// The keys of `batch`.
    public static let batchSettings = [
        PluginDescription.Setting(
            "count",
            "maximum number of records, from \(countRange.lowerBound) to \(countRange.upperBound)",
            kind: .number, default: "1000"),
        PluginDescription.Setting(
            "size", "maximum size as lines of JSON, from 1 KiB to 64 MiB", kind: .size,
            default: "1 MiB"),
        PluginDescription.Setting(
            "seconds", "maximum wait for a batch to fill, up to \(Int(maximumWait))",
            kind: .number, default: "as the load and the sink require"),
    ]

    /// The keys of every sink, including `use`.
    public static let keys = ["use"] + settings.map(\.name)

    private static let countRange = 1...100_000
    private static let sizeRange: ClosedRange<Int64> = 1_024...(64 << 20)
    private static let maximumWait = 3_600.0

    /// Reads the options from a sink's settings.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of the problem.
    public init(_ object: ConfigurationObject) throws(ConfigurationError) {
        if let node = object["types"] { types = try Self.types(node) }
        if let node = object["buffer"] { buffer = try BufferLimit(node) }
        if let node = object["batch"] { batch = try Self.batch(node) }
        if let node = object["from"] {
            let word = try node.choice(of: StartPosition.allCases.map(\.rawValue))
            startPosition = StartPosition(rawValue: word) ?? .now
        }
        previousName = try object["previousName"]?.string()
    }

    private static func types(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Set<RecordType> {
        var types: Set<RecordType> = []
        for entry in try node.array() {
            types.insert(try entry.recordType(named: entry.string()))
        }
        guard !types.isEmpty else { throw node.error("must have at least one type") }
        return types
    }

    private static func batch(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> BatchLimit {
        let object = try node.object(keys: batchSettings.map(\.name))
        var batch = BatchLimit()
        if let count = object["count"] { batch.count = try count.integer(in: countRange) }
        if let size = object["size"] { batch.bytes = try size.byteCount(in: sizeRange) }
        if let node = object["seconds"] {
            batch.seconds = try node.number()
            guard (0...maximumWait).contains(batch.seconds) else {
                throw node.error("must be from 0 to \(Int(maximumWait))")
            }
        }
        return batch
    }
}
