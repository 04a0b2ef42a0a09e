import GatewayCore

extension HeartRateProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads heart-rate sensors with the Bluetooth Heart Rate Service.",
        settings: [
            PluginDescription.Setting(
                "energy", "whether to record the energy expended as reported by the sensor",
                kind: .boolean, default: "true"),
            PluginDescription.Setting(
                "quirks", "deviations of specific sensor models from the service",
                kind: .object, default: "the built-in table"),
        ],
        sample: """
            {
              sources: {
                straps: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "heartRate", energy: false }],
                },
              },
              sinks: {
                lines: { use: "stdout" },
              },
            }

            """)
}
