package import HealthModel

/// The devices that count in a workout, and how far they have told.
///
/// One that tells its sum every ten seconds tells of the last seconds of a workout only after its end.
package struct LateCounts {
    /// So long after the end is waited for it, in seconds; who tells more rarely was silent before.
    package static let timeoutSeconds = 12.0
    /// So many devices and types are watched.
    private static let limit = 64

    private struct Stream: Hashable {
        let type: QuantityType
        let device: String?
    }

    private var told: [Stream: Instant] = [:]

    package mutating func take(_ sample: QuantitySample) {
        guard sample.type.isCumulative, sample.start < sample.end else { return }
        let stream = Stream(type: sample.type, device: sample.device?.localIdentifier)
        guard told[stream] != nil || told.count < Self.limit else { return }
        told[stream] = max(told[stream] ?? sample.end, sample.end)
    }

    /// For how long after now something may still come of the last seconds before an end, in seconds; a
    /// clock that was set back meanwhile makes it no longer.
    package static func remainingSeconds(of end: Instant, at now: Instant) -> Double {
        min(timeoutSeconds - Double(now.nanoseconds(since: end)) / 1e9, timeoutSeconds)
    }

    /// Whether some device may still tell of the last seconds before an end.
    package func areAwaited(of end: Instant, at now: Instant) -> Bool {
        let timeout = Int64(Self.timeoutSeconds * 1e9)
        guard now.nanoseconds(since: end) < timeout else { return false }
        return told.values.contains { $0 < end && end.nanoseconds(since: $0) < timeout }
    }
}
