import GatewayCore
import JSON
import Simulation

/// The settings of a simulator.
struct SimulatorSettings: Hashable, Sendable {
    static let keys = ["use", "devices", "group", "heartRate", "seed", "faults"]
    /// The maximum length of a group.
    private static let groupLimit = 32
    /// The largest whole number that JSON numbers represent exactly.
    private static let maximumSeed = 1 << 53

    /// The number of devices of each kind.
    var counts: [SimulatedKind: Int] = [.heartRateStrap: 1, .pedometer: 1]
    /// A part of the local identifiers, so that several sources have different ones.
    var group: String?
    /// The heart rate over time; nil for phases of rest and effort.
    var curve: HeartRateCurve?
    /// The seed; nil for a random one.
    var seed: UInt64?
    var faults: [FaultSetting] = []

    /// Makes the default settings.
    init() {}

    /// Reads the settings strictly.
    init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let settings = try node.object(keys: Self.keys)
        if let devices = settings["devices"] { counts = try Self.counts(devices) }
        group = try settings["group"].map(Self.group)
        curve = try settings["heartRate"].map(HeartRateCurve.init)
        if let node = settings["seed"] {
            seed = UInt64(try node.integer(in: 0...Self.maximumSeed))
        }
        if let node = settings["faults"] { faults = try faults(node) }
    }

    /// The devices with a seed.
    func devices(seed: UInt64) -> [SimulatedDevice] {
        SimulatedKind.allCases.flatMap { kind in
            (0..<(counts[kind] ?? 0)).map {
                SimulatedDevice(kind, index: $0, group: group, seed: seed)
            }
        }
    }

    private static func counts(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> [SimulatedKind: Int] {
        let object = try node.object(keys: SimulatedKind.allCases.map(\.rawValue))
        var counts: [SimulatedKind: Int] = [:]
        for kind in SimulatedKind.allCases {
            counts[kind] = try object[kind.rawValue]?.integer(in: 0...kind.limit)
        }
        guard counts.values.contains(where: { $0 > 0 }) else {
            throw node.error("must have at least one device, such as { heartRateStrap: 1 }")
        }
        return counts
    }

    private static func group(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        let isName = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        }
        guard isName, text.utf8.count <= groupLimit else {
            throw node.error("must consist of 1 to \(groupLimit) letters and digits")
        }
        return text
    }

    private func faults(_ node: ConfigurationNode) throws(ConfigurationError) -> [FaultSetting] {
        let object = try node.object(keys: FaultSetting.Kind.allCases.map(\.rawValue))
        var faults: [FaultSetting] = []
        for kind in FaultSetting.Kind.allCases {
            guard let entry = object[kind.rawValue] else { continue }
            let canOccur = counts.contains { $0.key.detectsContact && $0.value > 0 }
            guard kind != .contactLost || canOccur else {
                throw entry.error(
                    "no device of this source detects contact; "
                        + "remove it, or add `heartRateStrap` or `hxm` to `devices`")
            }
            faults.append(try FaultSetting(kind, entry))
        }
        return faults
    }
}

extension HeartRateCurve {
    private static let times = 0.0...604_800.0
    private static let pointLimit = 1_000

    /// Reads a number, or `{ points: [{ at: "5m", rate: 120 }], end: "hold" }`.
    fileprivate init(_ node: ConfigurationNode) throws(ConfigurationError) {
        if case .number = node.value {
            self = try Self.make([Point(atSeconds: 0, rate: try Self.rate(node))], .hold, node)
            return
        }
        let settings = try node.object(keys: ["points", "end"])
        let list = try settings.require("points")
        let entries = try list.array()
        guard (1...Self.pointLimit).contains(entries.count) else {
            throw list.error("must have 1 to \(Self.pointLimit) points")
        }
        var points: [Point] = []
        for entry in entries {
            let object = try entry.object(keys: ["at", "rate"])
            let at = try object.require("at")
            let seconds = try at.duration(in: Self.times)
            guard seconds > points.last?.atSeconds ?? -1 else {
                throw at.error("must be later than that of the point before")
            }
            points.append(Point(atSeconds: seconds, rate: try Self.rate(object.require("rate"))))
        }
        let word = try settings["end"]?.choice(of: End.allCases.map(\.rawValue))
        let end = word.flatMap(End.init) ?? .hold
        guard end == .hold || points.last?.atSeconds ?? 0 >= 1 else {
            throw list.error("must reach 1s or more to be repeated")
        }
        self = try Self.make(points, end, list)
    }

    private static func rate(_ node: ConfigurationNode) throws(ConfigurationError) -> Double {
        let rate = try node.number()
        guard rates.contains(rate) else {
            throw node.error(
                "must be from \(Int(rates.lowerBound)) to \(Int(rates.upperBound)) "
                    + "beats per minute")
        }
        return rate
    }

    private static func make(
        _ points: [Point], _ end: End, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> HeartRateCurve {
        guard let curve = HeartRateCurve(points, end: end) else {
            throw node.error("must have points with ascending times")
        }
        return curve
    }
}
