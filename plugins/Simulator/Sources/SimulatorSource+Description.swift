import GatewayCore

extension SimulatorSource {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Simulates straps and pedometers, with a known heart rate and with faults.",
        settings: [
            PluginDescription.Setting(
                "devices", "number of devices of each kind",
                kind: .object, default: "{ heartRateStrap: 1, pedometer: 1 }",
                keys: deviceSettings),
            PluginDescription.Setting(
                "group", "part of the local identifiers, to distinguish several simulators",
                default: "none"),
            PluginDescription.Setting(
                "heartRate", "heart rate over time, or a number in beats per minute",
                kind: .object, default: "phases of rest and effort", keys: curveSettings),
            PluginDescription.Setting(
                "seed", "seed of all values; the same seed gives the same values", kind: .number,
                default: "random"),
            PluginDescription.Setting(
                "faults", "faults with their times", kind: .object, default: "none",
                keys: FaultSetting.Kind.allCases.map(\.setting)),
        ],
        sample: """
            {
              sources: {
                sim: {
                  use: "simulator",
                  devices: { heartRateStrap: 2, pedometer: 1, hxm: 1 },
                  heartRate: {
                    points: [
                      { at: "0s", rate: 70 }, { at: "2m", rate: 120 }, { at: "5m", rate: 165 },
                      { at: "6m", rate: 80 },
                    ],
                    end: "repeat",
                  },
                  seed: 7,
                  faults: {
                    linkLost: { at: ["90s", "10m"], for: "5s" },
                    damagedPackets: { every: "2m" },
                  },
                },
              },
              sinks: {
                lines: { use: "stdout" },
              },
            }

            """)
}

extension SimulatorSource {
    private static let deviceSettings = SimulatedKind.allCases.map { kind in
        PluginDescription.Setting(
            kind.rawValue, "number of \(kind.plural), 0 to \(kind.limit)", kind: .number,
            default: "0")
    }

    private static let curveSettings = [
        PluginDescription.Setting(
            "points", "points of the curve, which are joined by straight lines", kind: .objects,
            keys: [
                PluginDescription.Setting("at", "time since the start of the source", kind: .span),
                PluginDescription.Setting(
                    "rate", "heart rate in beats per minute, 30 to 220", kind: .number),
            ]),
        PluginDescription.Setting(
            "end", "after the last point: hold its rate, or repeat the curve",
            kind: .words(["hold", "repeat"]), default: "hold"),
    ]
}

extension FaultSetting.Kind {
    /// The description of a fault and its keys.
    fileprivate var setting: PluginDescription.Setting {
        var keys = [
            PluginDescription.Setting(
                "at", "times of the fault since the start of the source", kind: .strings,
                default: "none; required without `every`"),
            PluginDescription.Setting(
                "every", "mean time between two faults", kind: .span,
                default: "none; required without `at`"),
        ]
        if let seconds = defaultSeconds {
            keys.append(
                PluginDescription.Setting(
                    "for", "duration of the fault", kind: .span, default: "\(Int(seconds))s"))
        }
        if self == .packetFlood {
            keys.append(
                PluginDescription.Setting(
                    "count", "number of packets at once, 1 to 10000", kind: .number,
                    default: "\(FaultSetting.defaultFloodCount)"))
        }
        return PluginDescription.Setting(
            rawValue, meaning, kind: .object, default: "none", keys: keys)
    }

    private var meaning: String {
        switch self {
        case .contactLost: "the sensor does not touch the skin for some time"
        case .linkLost: "the link is closed and opened again"
        case .silence: "the link is open, but nothing is sent"
        case .damagedPackets: "a packet is damaged"
        case .duplicatePackets: "a packet is sent twice"
        case .batteryEmpty: "the battery is empty, and the link is closed until there is a new one"
        case .packetFlood: "many packets are sent at once"
        }
    }
}

extension SimulatedKind {
    /// Its devices, in a description.
    fileprivate var plural: String {
        switch self {
        case .heartRateStrap: "straps"
        case .pedometer: "pedometers"
        case .hxm: "Zephyr HxM straps"
        }
    }
}
