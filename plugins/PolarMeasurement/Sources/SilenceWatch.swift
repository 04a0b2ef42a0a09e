import Platform

/// When each measurement is overdue, so that one that stops is noticed while others continue.
struct SilenceWatch {
    /// The time without a frame after which a measurement has stopped; an H10 sends two a second.
    static let frameSeconds = 10.0
    /// The time after a request in which the sensor must have answered or sent a frame.
    ///
    /// A request can be postponed by a minute, because the same one is written once a minute.
    static let requestSeconds = 75.0

    private var deadlines: [PolarMeasurement: BootInstant] = [:]

    /// When the first measurement is overdue.
    var wakeTime: BootInstant? { deadlines.values.min() }

    /// Notes that a measurement was requested.
    mutating func requested(_ measurement: PolarMeasurement, at now: BootInstant) {
        expect(measurement, within: Self.requestSeconds, after: now)
    }

    /// Notes that a measurement has begun or has sent a frame.
    mutating func received(_ measurement: PolarMeasurement, at now: BootInstant) {
        expect(measurement, within: Self.frameSeconds, after: now)
    }

    /// Notes that the sensor does not make a measurement.
    mutating func ended(_ measurement: PolarMeasurement) { deadlines[measurement] = nil }

    /// Returns and removes the measurements that are overdue, in their order.
    mutating func takeOverdue(at now: BootInstant) -> [PolarMeasurement] {
        let overdue = PolarMeasurement.allCases.filter { deadlines[$0].map { $0 <= now } == true }
        for measurement in overdue { deadlines[measurement] = nil }
        return overdue
    }

    private mutating func expect(
        _ measurement: PolarMeasurement, within seconds: Double, after now: BootInstant
    ) {
        // Intervals come when there is a pulse, and not at a constant rate.
        guard measurement != .pulseIntervals else { return }
        deadlines[measurement] = now.adding(seconds: seconds)
    }
}
