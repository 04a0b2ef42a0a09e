import GatewayCore

extension PulseOximeterProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads pulse oximeters with the Bluetooth Pulse Oximeter Service.",
        sample: """
            {
              sources: {
                finger: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: ["pulseOximeter"],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
