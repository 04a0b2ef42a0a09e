import GatewayCore

extension SimulatorSource {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Simulates straps and pedometers, with a known heart rate and with faults.",
        settings: [
            PluginDescription.Setting(
                "devices",
                "number of devices of each kind: `heartRateStrap` up to 1000, `pedometer` and `hxm` "
                    + "up to 50",
                kind: .object, default: "{ heartRateStrap: 1, pedometer: 1 }"),
            PluginDescription.Setting(
                "group", "part of the local identifiers, to distinguish several simulators",
                default: "none"),
            PluginDescription.Setting(
                "heartRate",
                "heart rate over time: { points: [{ at, rate }], end: \"hold\" or \"repeat\" }, or a number",
                kind: .object, default: "phases of rest and effort"),
            PluginDescription.Setting(
                "seed", "seed of all values; the same seed gives the same values", kind: .number,
                default: "random"),
            PluginDescription.Setting(
                "faults",
                "faults with their times (`at`), mean interval (`every`) and duration (`for`)",
                kind: .object, default: "none"),
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
