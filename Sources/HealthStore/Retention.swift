package import GatewayCore
package import HealthModel
import JSON
import Platform

/// What a store keeps; what is beyond it is removed.
package struct Retention: Hashable, Sendable {
    /// So old, in seconds, is the oldest record at most; nil for any age.
    package var ageSeconds: Double?
    /// So many bytes of the file are in use at most; nil for any number.
    package var bytes: Int64?

    /// The shortest age is longer than the time between two looks, and than what a sink is usually behind.
    private static let ages: ClosedRange<Double> = 3_600...3_155_760_000
    /// The tables are there without any record, and devices and people stay.
    private static let sizes: ClosedRange<Int64> = (16 << 20)...(1 << 50)

    /// Keeps everything when nothing is said.
    package init(ageSeconds: Double? = nil, bytes: Int64? = nil) {
        self.ageSeconds = ageSeconds
        self.bytes = bytes
    }

    /// The keys of `retention`.
    package static let settings = [
        PluginDescription.Setting(
            "age", "records that ended longer ago are removed", kind: .span, default: "any"),
        PluginDescription.Setting(
            "size", "the oldest records are removed while the file is larger", kind: .size,
            default: "any"),
    ]

    /// Reads `{ age: "90d", size: "500 MiB" }`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: Self.settings.map(\.name))
        ageSeconds = try object["age"]?.duration(in: Self.ages)
        bytes = try object["size"]?.byteCount(in: Self.sizes)
        guard !keepsEverything else { throw node.error("names neither an `age` nor a `size`") }
    }

    /// Whether nothing is ever removed.
    package var keepsEverything: Bool { ageSeconds == nil && bytes == nil }

    /// What must go at this time.
    package func bounds(at now: Instant) -> Bounds {
        Bounds(
            start: ageSeconds.map { now.adding(nanoseconds: -Int64(clampedNanosecondsOf: $0)) },
            bytes: bytes)
    }

    /// How far back and how far up a store goes.
    package struct Bounds: Hashable, Sendable {
        /// What began before this goes; nil when age does not matter.
        package var start: Instant?
        /// The oldest go while more bytes than this are in use; nil when size does not matter.
        package var bytes: Int64?

        package init(start: Instant? = nil, bytes: Int64? = nil) {
            self.start = start
            self.bytes = bytes
        }
    }
}
