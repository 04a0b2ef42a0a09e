import JSON

/// How far a sink may stay behind in the journal, and what happens when it does.
public struct BufferLimit: Sendable, Hashable {
    /// What happens to a sink that lags too far.
    public enum Policy: String, Sendable, CaseIterable {
        /// Its oldest records are given up, and counted as dropped.
        case dropOldest
        /// Sources that can wait are made to wait for it.
        case block
    }

    /// The smallest limit.
    public static let smallestBytes: Int64 = 256 << 10
    /// The limit when none is named: no sink that is dead fills the disk.
    public static let defaultBytes: Int64 = 1 << 30

    /// So many bytes of records at most.
    public var bytes = Self.defaultBytes
    /// So old, in seconds, is the oldest record at most; nil for any age.
    public var seconds: Double?
    /// What happens beyond that.
    public var whenFull = Policy.dropOldest

    /// The usual limit.
    public init() {}

    /// The keys of `buffer`.
    public static let settings = [
        PluginDescription.Setting(
            "maxSize", "records in the journal, as lines of JSON, from 256 KiB", kind: .size,
            default: "1 GiB"),
        PluginDescription.Setting("maxAge", "age of the oldest one", kind: .span, default: "any"),
        PluginDescription.Setting(
            "whenFull",
            "give up the oldest records, or hold back the sources; the latter only with sources that "
                + "can wait",
            kind: .words(Policy.allCases.map(\.rawValue)), default: "dropOldest"),
    ]

    /// Reads `{ maxSize: "64 MiB", maxAge: "7d", whenFull: "dropOldest" }`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: Self.settings.map(\.name))
        if let limit = object["maxSize"] {
            bytes = try limit.byteCount(in: Self.smallestBytes...(1 << 50))
        }
        if let age = object["maxAge"] { seconds = try age.duration(in: 1...3_155_760_000) }
        if let policy = object["whenFull"] {
            let word = try policy.choice(of: Policy.allCases.map(\.rawValue))
            whenFull = Policy(rawValue: word) ?? .dropOldest
        }
    }
}

/// Where a sink begins that the journal does not know yet.
public enum Beginning: String, Sendable, CaseIterable {
    /// Behind everything that has been published.
    case now
    /// At the oldest record that the journal still has.
    case start
}

/// A sink as the journal has to know it.
public struct JournalSink: Sendable, Hashable {
    /// The name under which its cursor is kept.
    public var name: String
    /// The name under which it was kept before, when it has a new one.
    public var previousName: String?
    /// Where it begins when it is not known yet.
    public var begins: Beginning
    /// How far it may lag.
    public var buffer: BufferLimit

    /// Describes a sink.
    public init(
        _ name: String, previousName: String? = nil, begins: Beginning = .now,
        buffer: BufferLimit = BufferLimit()
    ) {
        self.name = name
        self.previousName = previousName
        self.begins = begins
        self.buffer = buffer
    }

    /// Describes a sink with these options.
    public init(_ name: String, options: SinkOptions) {
        self.init(
            name, previousName: options.previousName, begins: options.begins, buffer: options.buffer
        )
    }
}
