import GatewayCore
import JSON

/// A fault of simulated devices with its times, as an entry of `faults`.
struct FaultSetting: Hashable, Sendable {
    /// A kind of faults; the raw value is its key in `faults`.
    enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The sensor does not touch the skin for some time.
        case contactLost
        /// The link is closed and opened again.
        case linkLost
        /// The link is open, but nothing is sent.
        case silence
        /// A packet is damaged.
        case damagedPackets
        /// A packet is sent twice.
        case duplicatePackets
        /// The battery is empty: the link is closed until there is a new one.
        case batteryEmpty
        /// Many packets are sent at once.
        case packetFlood

        /// How long it lasts by default; nil for a fault of one packet.
        var defaultSeconds: Double? {
            switch self {
            case .contactLost: 10
            case .linkLost: 5
            case .silence: 30
            case .batteryEmpty: 60
            case .damagedPackets, .duplicatePackets, .packetFlood: nil
            }
        }
    }

    /// The bounds of times.
    static let times = 0.0...604_800.0
    static let durations = 1.0...86_400.0
    static let intervals = 1.0...604_800.0
    /// The maximum number of stated times.
    static let timeLimit = 1_000
    static let floodCounts = 1...10_000
    static let defaultFloodCount = 1_000

    let kind: Kind
    /// The times of the fault in seconds since the start, ascending.
    var times: [Double] = []
    /// The mean time in seconds between two faults; nil for none beside ``times``.
    var meanSeconds: Double?
    /// How long it lasts in seconds; 0 for a fault of one packet.
    var seconds: Double
    /// The number of packets of a flood.
    var count = Self.defaultFloodCount

    /// Makes a fault with the defaults of its kind.
    init(_ kind: Kind, times: [Double] = [], meanSeconds: Double? = nil) {
        self.kind = kind
        self.times = times
        self.meanSeconds = meanSeconds
        seconds = kind.defaultSeconds ?? 0
    }

    /// Reads `{ at: ["90s"], every: "10m", for: "5s" }`, for a flood with `count` instead of `for`.
    init(_ kind: Kind, _ node: ConfigurationNode) throws(ConfigurationError) {
        self.init(kind)
        var keys = ["at", "every"]
        if kind.defaultSeconds != nil { keys.append("for") }
        if kind == .packetFlood { keys.append("count") }
        let settings = try node.object(keys: keys)
        guard settings["at"] != nil || settings["every"] != nil else {
            throw node.error(
                "must set `at`, a list of times, or `every`, the mean time between two")
        }
        if let list = settings["at"] { times = try Self.times(list) }
        meanSeconds = try settings["every"]?.duration(in: Self.intervals)
        if let node = settings["for"] { seconds = try node.duration(in: Self.durations) }
        if let node = settings["count"] { count = try node.integer(in: Self.floodCounts) }
    }

    private static func times(_ node: ConfigurationNode) throws(ConfigurationError) -> [Double] {
        var times: [Double] = []
        for entry in try node.array() { times.append(try entry.duration(in: Self.times)) }
        guard (1...timeLimit).contains(times.count) else {
            throw node.error("must have 1 to \(timeLimit) times, such as \"90s\"")
        }
        return times.sorted()
    }
}
