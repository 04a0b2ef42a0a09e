import GatewayCore
package import JSON

/// A workout plan: steps one after the other.
///
///     { name: "4x4", steps: [
///       { name: "warm up", time: "10m", zone: 1 },
///       { repeat: 4, steps: [ { time: "4m", zone: 4 }, { distance: "400 m", zone: [1, 2] } ] },
///       { until: { zone: 1 } },
///       { name: "cool down", open: true, heartRate: [100, 120] },
///     ] }
package struct WorkoutPlan: Hashable, Sendable {
    /// The maximum nesting of steps.
    package static let maximumDepth = 4
    /// The maximum number of steps, repeats counted.
    package static let maximumStepCount = 1_000
    /// The maximum size of a plan, in bytes of JSON.
    package static let maximumTextLength = 65_536
    /// The maximum length of the name of a plan or step, in characters.
    package static let maximumNameLength = 64

    /// A step of a plan.
    package struct Step: Hashable, Sendable {
        /// The goal that ends a step.
        package enum Goal: Hashable, Sendable {
            /// A number of seconds without pauses.
            case time(seconds: Double)
            /// A distance in metres.
            case distance(meters: Double)
            /// A heart rate in one of these zones.
            case zone(ClosedRange<Int>)
            /// No goal: the person marks a lap.
            case open
        }

        /// The intensity to keep.
        package enum Target: Hashable, Sendable {
            /// A range of heart rate zones.
            case zones(ClosedRange<Int>)
            /// A range of heart rates in count/min.
            case heartRate(ClosedRange<Double>)
        }

        /// The name; the goal as text when the plan has no name for the step.
        package let name: String
        /// The goal.
        package let goal: Goal
        /// The target; nil without one.
        package let target: Target?
        /// The key path in the plan, `steps[1].steps[0]`.
        var path: String
    }

    /// The name of the plan.
    package let name: String
    /// All steps, with repeats expanded.
    package let steps: [Step]
    /// The plan as decoded.
    let value: JSONValue

    /// Decodes the JSON5 text of a plan, strictly.
    /// - Throws: the first problem, with its key path.
    package init(json5 text: String) throws(JSONError) {
        try self.init(DocumentNode(json5: text))
    }

    /// Decodes a plan, strictly.
    /// - Throws: the first problem, with its key path.
    package init(_ node: DocumentNode) throws(JSONError) {
        let object = try node.object(keys: ["name", "steps"])
        name = try PlanReader.name(object.require("name"))
        let root = node.path.isEmpty ? 0 : node.path.count + 1
        steps = try PlanReader.steps(object.require("steps"), depth: 1).map { step in
            var step = step
            step.path = String(step.path.dropFirst(root))
            return step
        }
        value = node.value
        guard json.utf8.count <= Self.maximumTextLength else {
            throw node.error("a plan may have up to \(Self.maximumTextLength) bytes; shorten it")
        }
    }

    /// The highest zone, and the key path of the first step with it; nil when no step uses zones.
    package var highestZone: (zone: Int, path: String)? {
        var highest: (zone: Int, path: String)?
        for step in steps {
            guard let zone = step.highestZone, zone > highest?.zone ?? -1 else { continue }
            highest = (zone, step.path)
        }
        return highest
    }

    /// The plan as JSON on one line.
    package var json: String { value.json }
}

extension WorkoutPlan.Step {
    /// The highest zone of the goal and the target; nil when they use no zones.
    fileprivate var highestZone: Int? {
        var zones: [Int] = []
        if case .zone(let range) = goal { zones.append(range.upperBound) }
        if case .zones(let range)? = target { zones.append(range.upperBound) }
        return zones.max()
    }
}
