package import GatewayCore
package import HealthModel
import JSON
import Platform

/// The retention policy of a store: older records, or those beyond a size, are removed.
package struct Retention: Hashable, Sendable {
    /// The maximum age of a record in seconds; nil for no limit.
    package var ageSeconds: Double?
    /// The maximum number of used bytes in the file; nil for no limit.
    package var bytes: Int64?

    /// The minimum exceeds the time between two cleanups and the usual lag of a sink.
    private static let ages: ClosedRange<Double> = 3_600...3_155_760_000
    /// The minimum exceeds the size of an empty store with its devices and people.
    private static let sizes: ClosedRange<Int64> = (16 << 20)...(1 << 50)

    /// Makes a policy; without arguments everything is retained.
    package init(ageSeconds: Double? = nil, bytes: Int64? = nil) {
        self.ageSeconds = ageSeconds
        self.bytes = bytes
    }

    /// The keys of `retention`.
    package static let settings = [
        PluginDescription.Setting(
            "age",
            "remove records older than this, from \(Measure.duration(ages.lowerBound))",
            kind: .span, default: "any"),
        PluginDescription.Setting(
            "size",
            "remove the oldest records while the file is larger than this, from "
                + Measure.size(sizes.lowerBound),
            kind: .size, default: "any"),
    ]

    /// Reads `{ age: "90d", size: "500 MiB" }`.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let object = try node.object(keys: Self.settings.map(\.name))
        ageSeconds = try object["age"]?.duration(in: Self.ages)
        bytes = try object["size"]?.byteCount(in: Self.sizes)
        guard !isUnlimited else { throw node.error("requires `age` or `size`") }
    }

    /// Whether everything is retained.
    package var isUnlimited: Bool { ageSeconds == nil && bytes == nil }

    /// The bounds at a time.
    package func bounds(at now: Instant) -> Bounds {
        Bounds(
            start: ageSeconds.map { now.adding(nanoseconds: -Int64(clampedNanosecondsOf: $0)) },
            bytes: bytes)
    }

    /// The limits of a store at one point in time.
    package struct Bounds: Hashable, Sendable {
        /// Records that started before this time are removed; nil for no limit.
        package var start: Instant?
        /// The oldest records are removed while more bytes are in use; nil for no limit.
        package var bytes: Int64?

        package init(start: Instant? = nil, bytes: Int64? = nil) {
            self.start = start
            self.bytes = bytes
        }
    }
}
