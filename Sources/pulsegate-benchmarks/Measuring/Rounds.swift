/// How often each thing is measured.
struct Rounds: Sendable {
    /// With fewer a median says little.
    static let fewest = 5

    let count: Int

    /// Measures the reference and ours in turns, so that both meet the same disturbances.
    func takeTurns<Measured>(
        reference: () async throws -> Measured, ours: () async throws -> Measured
    ) async rethrows -> Turns<Measured> {
        var turns = Turns<Measured>()
        for _ in 0..<count {
            turns.reference.append(try await reference())
            turns.ours.append(try await ours())
        }
        return turns
    }
}

/// What was measured in turns.
struct Turns<Measured> {
    fileprivate(set) var reference: [Measured] = []
    fileprivate(set) var ours: [Measured] = []

    func medianOfOurs(_ value: (Measured) -> Double) -> Double { median(ours.map(value)) }

    func medianOfReference(_ value: (Measured) -> Double) -> Double {
        median(reference.map(value))
    }

    /// The median of the turns' own ratios: what disturbed one turn does not count in another.
    func medianRatio(_ value: (Measured) -> Double) -> Double {
        median(zip(ours, reference).map { value($0) / value($1) })
    }
}

/// The middle value; of an even count the mean of the middle two.
func median(_ values: [Double]) -> Double {
    precondition(!values.isEmpty, "nothing was measured")
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
