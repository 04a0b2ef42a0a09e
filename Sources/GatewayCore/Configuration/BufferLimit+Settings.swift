public import GatewayJournal
import JSON

extension BufferLimit {
    /// The keys of `buffer`.
    public static let settings = [
        PluginDescription.Setting(
            "maxSize", "maximum size of the records as lines of JSON, from 256 KiB", kind: .size,
            default: "1 GiB"),
        PluginDescription.Setting(
            "maxAge", "maximum age of the oldest record", kind: .span, default: "unlimited"),
        PluginDescription.Setting(
            "whenFull",
            "drop the oldest records, or block the sources; `block` requires sources that can wait",
            kind: .words(Policy.allCases.map(\.rawValue)), default: "dropOldest"),
    ]

    /// Reads `{ maxSize: "64 MiB", maxAge: "7d", whenFull: "dropOldest" }`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: Self.settings.map(\.name))
        self.init()
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

extension JournalSink {
    /// Describes a sink with these options.
    public init(_ name: String, options: SinkOptions) {
        self.init(
            name, previousName: options.previousName, startPosition: options.startPosition,
            buffer: options.buffer
        )
    }
}
