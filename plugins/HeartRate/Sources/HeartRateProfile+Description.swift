import GatewayCore

extension HeartRateProfile {
    /// What `pulsegate plugins` tells; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads chest straps, arm bands and watches with the Bluetooth Heart Rate Service.",
        sample: """
            // The heart rate profile has no settings. `pulsegate run --simulate` feeds it without any file;
            // this sink prints its samples as lines.
            {
              sinks: {
                lines: { use: "stdout" },
              },
            }

            """)
}
