public import HealthModel
public import JSON

/// What every sink may have beside its own settings: what it gets, in what pieces, and how far it may
/// stay behind.
public struct SinkOptions: Sendable, Hashable {
    /// The types it gets; nil for all of them, and for device events.
    ///
    /// A correlation goes by its own type, whatever the types of its members.
    /// A change concerns what comes after: the cursor stays where it is.
    public var types: Set<RecordType>?
    /// How far it may lag, and what happens then.
    public var buffer = BufferLimit()
    /// Where it begins when the journal does not know it yet.
    public var begins = Beginning.now
    /// How much it is given at once.
    public var batch = BatchLimit()
    /// The name that it had before; its cursor and its account go on under the new one.
    public var previousName: String?

    /// How much a sink is given at once.
    public struct BatchLimit: Sendable, Hashable {
        /// So many records at most.
        public var count = 1_000
        /// So many bytes of JSON lines at most; a longer record comes alone.
        public var bytes: Int64 = 1 << 20
        /// How long a record waits for others that fill the batch.
        ///
        /// With 0 it does not wait, but where commit follows commit a sink is given something once a second.
        public var seconds = 0.0

        /// The usual limits.
        public init() {}
    }

    /// The options that hold when nothing is said.
    public init() {}
}

extension SinkOptions {
    /// The keys and what they mean.
    public static let settings = [
        PluginDescription.Setting(
            "types", "the types that it gets", kind: .strings, default: "all"),
        PluginDescription.Setting(
            "buffer", "how much may wait for it: { maxSize, maxAge, whenFull }", kind: .object,
            default: "1 GiB, dropOldest"),
        PluginDescription.Setting(
            "batch", "how much it gets at once: { count, size, seconds }", kind: .object,
            default: "1000 records, 1 MiB, without waiting as long as little comes"),
        PluginDescription.Setting(
            "from",
            "where a new sink begins: `now`, or `start` for all that is still in the journal",
            kind: .words(Beginning.allCases.map(\.rawValue)), default: "now"),
        PluginDescription.Setting(
            "previousName", "the name that it had before, so that it continues where that one was",
            default: "none"),
    ]

    /// The keys of `batch`.
    public static let batchSettings = [
        PluginDescription.Setting(
            "count", "records, from \(countRange.lowerBound) to \(countRange.upperBound)",
            kind: .number, default: "1000"),
        PluginDescription.Setting("size", "lines of JSON", kind: .size, default: "1 MiB"),
        PluginDescription.Setting(
            "seconds", "the longest wait for a batch to fill, up to \(Int(maximumWait))",
            kind: .number, default: "no wait as long as little comes"),
    ]

    /// The keys that every sink may have, with `use` among them.
    public static let keys = ["use"] + settings.map(\.name)

    private static let countRange = 1...100_000
    private static let sizeRange: ClosedRange<Int64> = 1_024...(64 << 20)
    private static let maximumWait = 3_600.0

    /// Reads the options from a sink's settings.
    ///
    /// - Throws: ``ConfigurationError`` with the key path of what is wrong.
    public init(_ object: ConfigurationObject) throws(ConfigurationError) {
        if let node = object["types"] { types = try Self.types(node) }
        if let node = object["buffer"] { buffer = try BufferLimit(node) }
        if let node = object["batch"] { batch = try Self.batch(node) }
        if let node = object["from"] {
            let word = try node.choice(of: Beginning.allCases.map(\.rawValue))
            begins = Beginning(rawValue: word) ?? .now
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
        guard !types.isEmpty else { throw node.error("names no type") }
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
