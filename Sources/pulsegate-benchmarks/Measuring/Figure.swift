/// A measured number with its reference and its goal.
struct Figure: Encodable {
    /// The goal for a number or for its ratio to the reference.
    struct Goal: Encodable {
        enum Subject: String, Encodable { case value, ratio }
        enum Bound: String, Encodable { case atMost, atLeast }

        let subject: Subject
        let bound: Bound
        let limit: Double

        static func value(_ bound: Bound, _ limit: Double) -> Goal {
            Goal(subject: .value, bound: bound, limit: limit)
        }

        static func ratio(_ bound: Bound, _ limit: Double) -> Goal {
            Goal(subject: .ratio, bound: bound, limit: limit)
        }
    }

    let name: String
    let unit: String
    let ours: Double
    let reference: Double?
    let ratio: Double?
    let goal: Goal?
    /// Nil without a goal.
    let isMet: Bool?

    /// Makes a figure from numbers.
    init(
        _ name: String, _ unit: String, _ ours: Double, reference: Double? = nil,
        ratio: Double? = nil, goal: Goal? = nil
    ) {
        self.name = name
        self.unit = unit
        self.ours = ours
        self.reference = reference
        self.ratio = ratio
        self.goal = goal
        isMet = goal.map { goal in
            let subject = goal.subject == .value ? ours : ratio ?? .nan
            return goal.bound == .atMost ? subject <= goal.limit : subject >= goal.limit
        }
    }

    /// Makes a figure from the medians of paired measurements.
    ///
    /// It has no ratio when the reference is 0, as a number of losses is.
    init<Measured>(
        _ name: String, _ unit: String, _ turns: PairedMeasurements<Measured>, goal: Goal? = nil,
        _ value: (Measured) -> Double
    ) {
        let ratio = turns.medianRatio(value)
        self.init(
            name, unit, turns.medianOfOurs(value), reference: turns.medianOfReference(value),
            ratio: ratio.isFinite ? ratio : nil, goal: goal)
    }
}
