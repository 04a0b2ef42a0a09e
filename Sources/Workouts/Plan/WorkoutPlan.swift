import GatewayCore
package import JSON

/// What somebody has planned to do in a workout: steps one after the other.
///
///     { name: "4x4", steps: [
///       { name: "warm up", time: "10m", zone: 1 },
///       { repeat: 4, steps: [ { time: "4m", zone: 4 }, { distance: "400 m", zone: [1, 2] } ] },
///       { until: { zone: 1 } },
///       { name: "cool down", open: true, heartRate: [100, 120] },
///     ] }
package struct WorkoutPlan: Hashable, Sendable {
    /// How deep steps may be within steps.
    package static let maximumDepth = 4
    /// The most steps, repeats counted.
    package static let maximumStepCount = 1_000
    /// The longest text of a plan, in bytes of JSON.
    package static let maximumTextLength = 65_536
    /// The longest name of a plan or of a step, in characters.
    package static let maximumNameLength = 64

    /// One thing to do.
    package struct Step: Hashable, Sendable {
        /// When a step is over.
        package enum Goal: Hashable, Sendable {
            /// After so many seconds without pauses.
            case time(seconds: Double)
            /// After so many metres.
            case distance(meters: Double)
            /// As soon as the heart rate is in one of these zones.
            case zone(ClosedRange<Int>)
            /// When the person marks a lap.
            case open
        }

        /// What the person should keep to.
        package enum Target: Hashable, Sendable {
            /// One of these zones.
            case zones(ClosedRange<Int>)
            /// A heart rate in count/min.
            case heartRate(ClosedRange<Double>)
        }

        /// What the plan calls it; what it is when the plan says nothing.
        package let name: String
        /// When it is over.
        package let goal: Goal
        /// What to keep to; nil where anything is right.
        package let target: Target?
    }

    /// What the person calls it.
    package let name: String
    /// All steps, each as often as it is to be done.
    package let steps: [Step]
    /// The plan as it was read.
    let value: JSONValue

    /// Reads the JSON5 text of a plan, strictly.
    /// - Throws: what is wrong, with its key path.
    package init(json5 text: String) throws(JSONError) {
        try self.init(DocumentNode(json5: text))
    }

    /// Reads a plan, strictly.
    /// - Throws: what is wrong, with its key path.
    package init(_ node: DocumentNode) throws(JSONError) {
        let object = try node.object(keys: ["name", "steps"])
        name = try PlanReader.name(object.require("name"))
        steps = try PlanReader.steps(object.require("steps"), depth: 1)
        value = node.value
        guard json.utf8.count <= Self.maximumTextLength else {
            throw node.error("a plan has at most \(Self.maximumTextLength) bytes; shorten it")
        }
    }

    /// The highest zone that a step names; nil when no step goes by zones.
    package var highestZone: Int? {
        steps.flatMap { step -> [Int] in
            var zones: [Int] = []
            if case .zone(let range) = step.goal { zones.append(range.upperBound) }
            if case .zones(let range)? = step.target { zones.append(range.upperBound) }
            return zones
        }.max()
    }

    /// The plan as JSON on one line.
    package var json: String { value.json }
}
