package import HealthModel

/// The cumulative samples of a workout that devices have not reported yet, by device and type.
///
/// A device that reports a sum every ten seconds reports the last seconds of a workout only after
/// its end.
package struct PendingCounts {
    /// How long to wait for late samples after the end, in seconds; a device that reports less
    /// often counts as silent.
    package static let timeoutSeconds = 12.0
    /// The maximum number of device and type pairs to track.
    private static let limit = 64

    private struct Stream: Hashable {
        let type: QuantityType
        let device: String?
    }

    private var reportedUntil: [Stream: Instant] = [:]

    /// Notes until when a device has reported a type.
    package mutating func add(_ sample: QuantitySample) {
        guard sample.type.isCumulative, sample.start < sample.end else { return }
        let stream = Stream(type: sample.type, device: sample.device?.localIdentifier)
        guard reportedUntil[stream] != nil || reportedUntil.count < Self.limit else { return }
        reportedUntil[stream] = max(reportedUntil[stream] ?? sample.end, sample.end)
    }

    /// The remaining wait for samples from before an end, in seconds; limited to
    /// ``timeoutSeconds``, also when the clock was set back.
    package static func remainingSeconds(after end: Instant, at now: Instant) -> Double {
        min(timeoutSeconds - Double(now.nanoseconds(since: end)) / 1e9, timeoutSeconds)
    }

    /// Whether a device may still report samples from before an end.
    package func arePending(before end: Instant, at now: Instant) -> Bool {
        let timeout = Int64(Self.timeoutSeconds * 1e9)
        guard now.nanoseconds(since: end) < timeout else { return false }
        return reportedUntil.values.contains { $0 < end && end.nanoseconds(since: $0) < timeout }
    }
}
