import GatewayCore

extension HeartRateProfile {
    /// What `pulsegate plugins` tells; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads chest straps, arm bands and watches with the Bluetooth Heart Rate Service.",
        settings: [
            PluginDescription.Setting(
                "energy", "whether the energy that the sensor says was spent becomes samples",
                kind: .boolean, default: "true"),
            PluginDescription.Setting(
                "quirks", "how sensors of some make depart from the service",
                kind: .object, default: "what is known of them"),
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
