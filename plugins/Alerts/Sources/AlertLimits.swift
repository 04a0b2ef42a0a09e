import GatewayCore
import JSON

/// The limits from which on something is an alert.
struct AlertLimits: Hashable, Sendable {
    /// The charge of a battery, from 0 to 1.
    var battery = 0.1
    /// How long a sink or a source may fail, in seconds.
    var failingSeconds = 3_600.0
    /// How long a device of a running workout may send nothing, in seconds.
    var silentSeconds = 60.0

    /// Makes the default limits.
    init() {}
}

extension AlertLimits {
    private static let spans = 1.0...604_800.0

    /// Reads `batteryBelow`, `failingFor` and `noDataFor`.
    init(_ settings: ConfigurationObject) throws(ConfigurationError) {
        self.init()
        if let node = settings["batteryBelow"] {
            battery = try node.number()
            guard (0...1).contains(battery) else { throw node.error("must be from 0 to 1") }
        }
        if let node = settings["failingFor"] { failingSeconds = try node.duration(in: Self.spans) }
        if let node = settings["noDataFor"] { silentSeconds = try node.duration(in: Self.spans) }
    }
}
