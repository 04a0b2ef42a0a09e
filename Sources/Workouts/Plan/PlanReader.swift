import HealthModel
import JSON

/// Decodes the steps of a plan.
enum PlanReader {
    private static let goals = ["time", "distance", "until", "open"]
    private static let stepKeys = ["name", "zone", "heartRate"] + goals
    private static let maximumSeconds = 86_400.0
    private static let maximumMeters = 1_000_000.0

    static func name(_ node: DocumentNode) throws(JSONError) -> String {
        let name = try node.string()
        guard name.count <= WorkoutPlan.maximumNameLength,
            name.utf8.count <= 4 * WorkoutPlan.maximumNameLength,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw node.error(
                "must be up to \(WorkoutPlan.maximumNameLength) characters without control characters"
            )
        }
        return name
    }

    /// Decodes a list of steps, with repeats expanded.
    static func steps(
        _ node: DocumentNode, depth: Int
    ) throws(JSONError) -> [WorkoutPlan.Step] {
        guard depth <= WorkoutPlan.maximumDepth else {
            throw node.error("steps may be nested up to \(WorkoutPlan.maximumDepth) levels")
        }
        let nodes = try node.array()
        guard !nodes.isEmpty else { throw node.error("must contain a step") }
        var steps: [WorkoutPlan.Step] = []
        for node in nodes {
            // Check before the repeats are expanded: a few bytes could expand to billions of steps.
            let (some, count) = try repeated(node, depth: depth)
            guard some.count * count <= WorkoutPlan.maximumStepCount - steps.count else {
                throw node.error(
                    "a plan may have up to \(WorkoutPlan.maximumStepCount) steps, repeats counted")
            }
            for _ in 0..<count { steps += some }
        }
        return steps
    }

    private static func repeated(
        _ node: DocumentNode, depth: Int
    ) throws(JSONError) -> ([WorkoutPlan.Step], Int) {
        guard try node.entries().contains(where: { $0.key == "repeat" || $0.key == "steps" })
        else { return ([try step(node)], 1) }
        let object = try node.object(keys: ["repeat", "steps"])
        let count = try object.require("repeat").integer(in: 1...WorkoutPlan.maximumStepCount)
        return (try steps(object.require("steps"), depth: depth + 1), count)
    }

    private static func step(
        _ node: DocumentNode
    ) throws(JSONError) -> WorkoutPlan.Step {
        let object = try node.object(keys: stepKeys)
        let ends = goals.filter { object[$0] != nil }
        guard ends.count == 1 else {
            let found = ends.isEmpty ? "none" : ends.map { "`\($0)`" }.joined(separator: ", ")
            throw node.error(
                "expected one of `time`, `distance`, `until` and `open: true`, found \(found)"
            )
        }
        let goal = try Self.goal(of: object)
        guard object["zone"] == nil || object["heartRate"] == nil else {
            throw node.error("sets both `zone` and `heartRate`; remove one")
        }
        var target: WorkoutPlan.Step.Target?
        if let zone = object["zone"] { target = .zones(try zones(zone)) }
        if let rate = object["heartRate"] { target = .heartRate(try rates(rate)) }
        let given = try object["name"].map { node throws(JSONError) in try name(node) }
        return WorkoutPlan.Step(
            name: given ?? goal.displayText, goal: goal, target: target, path: node.path)
    }

    private static func goal(
        of object: DocumentObject
    ) throws(JSONError) -> WorkoutPlan.Step.Goal {
        if let time = object["time"] {
            return .time(seconds: try time.duration(in: 1...maximumSeconds))
        }
        if let distance = object["distance"] { return .distance(meters: try meters(distance)) }
        if let until = object["until"] {
            return .zone(try zones(until.object(keys: ["zone"]).require("zone")))
        }
        if let open = object["open"], try !open.boolean() {
            throw open.error(
                "must be true; otherwise set `time`, `distance` or `until`")
        }
        return .open
    }

    private static func meters(_ node: DocumentNode) throws(JSONError) -> Double {
        let parts = try node.string().split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Double(parts[0]), number.isFinite,
            let unit = try? Unit(parsing: String(parts[1])),
            let meters = try? unit.convert(number, to: .meter)
        else { throw node.error("expected a distance such as \"400 m\", \"1.5 km\" or \"1 mi\"") }
        guard (1...maximumMeters).contains(meters) else {
            throw node.error("must be from 1 m to 1000 km")
        }
        return meters
    }

    /// Decodes a zone or a range of zones.
    private static func zones(
        _ node: DocumentNode
    ) throws(JSONError) -> ClosedRange<Int> {
        let numbers = 0...ZoneSettings.maximumBoundaryCount
        guard case .array = node.value else {
            let zone = try node.integer(in: numbers)
            return zone...zone
        }
        let ends = try node.array()
        guard ends.count == 2 else {
            throw node.error("expected a zone, or a range such as [1, 2]")
        }
        let (first, last) = (try ends[0].integer(in: numbers), try ends[1].integer(in: numbers))
        guard first <= last else { throw node.error("must be in ascending order") }
        return first...last
    }

    private static func rates(
        _ node: DocumentNode
    ) throws(JSONError) -> ClosedRange<Double> {
        let ends = try node.array()
        let plausible = QuantityType.heartRate.plausibleRange ?? 20...300
        guard ends.count == 2 else { throw node.error("expected a range such as [120, 140]") }
        let (low, high) = (try ends[0].number(), try ends[1].number())
        guard low < high, plausible.contains(low), plausible.contains(high) else {
            throw node.error(
                "must be two ascending rates from \(Int(plausible.lowerBound)) to "
                    + "\(Int(plausible.upperBound)) count/min")
        }
        return low...high
    }
}

extension WorkoutPlan.Step.Goal {
    /// The goal as text, for a step without a name.
    var displayText: String {
        switch self {
        case .time(let seconds): PlanText.time(seconds)
        case .distance(let meters): PlanText.distance(meters)
        case .zone(let zones): "until \(PlanText.zones(zones))"
        case .open: "until the next lap"
        }
    }
}

/// The text of times, distances and zones of a plan.
enum PlanText {
    /// `1:20`, `1:00:00`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds).rounded(.up))
        let (minutes, rest) = (whole / 60, pad(whole % 60))
        return minutes < 60
            ? "\(minutes):\(rest)" : "\(minutes / 60):\(pad(minutes % 60)):\(rest)"
    }

    /// `400 m`, `1.5 km`.
    static func distance(_ meters: Double) -> String {
        let whole = Int(max(0, meters).rounded(.up))
        guard whole >= 1_000 else { return "\(whole) m" }
        let tens = (whole + 5) / 10
        let fraction = tens % 100
        let digits =
            fraction % 10 == 0 ? (fraction == 0 ? "" : ".\(fraction / 10)") : ".\(pad(fraction))"
        return "\(tens / 100)\(digits) km"
    }

    /// `zone 2`, `zone 1 to 2`.
    static func zones(_ zones: ClosedRange<Int>) -> String {
        zones.count == 1
            ? "zone \(zones.lowerBound)" : "zone \(zones.lowerBound) to \(zones.upperBound)"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
