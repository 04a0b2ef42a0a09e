import HealthStatistics

/// The sums of a discrete quantity in a cell: time-weighted average, minimum and maximum.
struct CurveTally: Sendable, Hashable {
    /// The integral of the value over time.
    private var area = 0.0
    /// The time for which the value is known.
    private(set) var seconds = 0.0
    private var minimum = Double.infinity
    private var maximum = -Double.infinity
    private var sum = 0.0
    private var count = 0.0

    var isEmpty: Bool { count == 0 && seconds == 0 }

    /// Adds a reading.
    mutating func add(_ value: Double) {
        sum += value
        count += 1
        widen(value)
    }

    mutating func add(_ piece: CurvePiece) {
        area += piece.area
        seconds += piece.seconds
        widen(piece.first)
        widen(piece.last)
    }

    mutating func add(_ other: CurveTally) {
        area += other.area
        seconds += other.seconds
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        sum += other.sum
        count += other.count
    }

    private mutating func widen(_ value: Double) {
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }

    /// The integral of the value over the time for which it is known; nil without such a time.
    var integral: Double? { seconds > 0 ? area : nil }

    /// The average, minimum and maximum; nil without readings.
    ///
    /// Without any time between readings, all readings have the same weight.
    var spread: WorkoutMeasures.Spread? {
        guard !isEmpty else { return nil }
        let average = seconds > 0 ? area / seconds : sum / count
        return WorkoutMeasures.Spread(
            average: min(max(average, minimum), maximum), minimum: minimum, maximum: maximum)
    }
}

/// The sums of the heart rate in a cell: time in zones and energy.
struct HeartTally: Sendable, Hashable {
    var zoneSeconds: [Double] = []
    var kilojoules = 0.0
    /// How long the heart rate was high enough to calculate energy from it.
    var exerciseSeconds = 0.0

    mutating func add(_ piece: CurvePiece, _ subject: WorkoutSubject) {
        if let zones = subject.zones {
            if zoneSeconds.isEmpty { zoneSeconds = [Double](repeating: 0, count: zones.count + 1) }
            zones.add(piece, to: &zoneSeconds)
        }
        guard let equation = subject.heartEnergy?.equation else { return }
        kilojoules += equation.kilojoules(of: piece)
        exerciseSeconds += piece.seconds * piece.part(above: HeartRateEnergy.lowestRate)
    }
}
