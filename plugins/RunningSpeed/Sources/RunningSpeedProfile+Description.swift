import GatewayCore

extension RunningSpeedProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads foot pods with the Bluetooth Running Speed and Cadence Service.",
        settings: [
            PluginDescription.Setting(
                "cadence", "what the sensor counts: single steps, or strides of two steps",
                kind: .words(["steps", "strides"]), default: "steps")
        ],
        sample: """
            {
              sources: {
                foot: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "runningSpeed", cadence: "strides" }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
