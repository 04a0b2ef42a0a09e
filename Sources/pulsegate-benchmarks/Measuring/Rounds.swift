/// The number of measurements.
struct Rounds: Sendable {
    /// The minimum for a meaningful median.
    static let fewest = 5

    let count: Int

    /// Measures the reference and pulsegate alternately, so that disturbances affect both.
    func alternate<Measured>(
        reference: () async throws -> Measured, ours: () async throws -> Measured
    ) async rethrows -> PairedMeasurements<Measured> {
        var turns = PairedMeasurements<Measured>()
        for _ in 0..<count {
            turns.reference.append(try await reference())
            turns.ours.append(try await ours())
        }
        return turns
    }
}

/// Alternating measurements of pulsegate and the reference.
struct PairedMeasurements<Measured> {
    fileprivate(set) var reference: [Measured] = []
    fileprivate(set) var ours: [Measured] = []

    mutating func append(reference: Measured, ours: Measured) {
        self.reference.append(reference)
        self.ours.append(ours)
    }

    func medianOfOurs(_ value: (Measured) -> Double) -> Double { median(ours.map(value)) }

    func medianOfReference(_ value: (Measured) -> Double) -> Double {
        median(reference.map(value))
    }

    /// The median of the ratios of the pairs, so that a disturbance affects only one pair.
    func medianRatio(_ value: (Measured) -> Double) -> Double {
        median(zip(ours, reference).map { value($0) / value($1) })
    }
}

/// The middle value; of an even count the mean of the middle two.
func median(_ values: [Double]) -> Double {
    precondition(!values.isEmpty, "a median needs at least one value")
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
