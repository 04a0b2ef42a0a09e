import HealthModel

/// The newest measurements of a stream that have the device's own time.
///
/// A device that stores measurements may send them again after every connection.
struct RecentMeasurements: Sendable {
    /// The maximum number of measurements, more than a store-and-forward device remembers.
    static let limit = 1_024
    /// The difference of the calculated times, in nanoseconds, of one measurement known by its age.
    static let ageToleranceNanoseconds: Int64 = 60_000_000_000

    private var starts: [UInt64: Instant] = [:]
    private var order: [UInt64] = []
    private var next = 0

    /// Adds a measurement at an instant; false if it was added before.
    mutating func insert(_ measured: MeasurementTime, at instant: Instant) -> Bool {
        guard measured.isRecognizable else { return true }
        let key = measured.key
        let earlier = starts.updateValue(instant, forKey: key)
        guard let earlier else {
            evict(for: key)
            return true
        }
        // Numbers of measurements start again at zero.
        guard case .age = measured.clock else { return false }
        let difference = instant.nanoseconds(since: earlier)
        return difference.magnitude > Self.ageToleranceNanoseconds.magnitude
    }

    /// Adds a key to the order and removes the oldest one above the limit.
    private mutating func evict(for key: UInt64) {
        guard order.count == Self.limit else {
            order.append(key)
            return
        }
        starts[order[next]] = nil
        order[next] = key
        next = (next + 1) % Self.limit
    }
}
