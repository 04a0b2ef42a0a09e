import GatewayCore

extension PolarBroadcastFormat {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads the heart rate that sensors and watches of Polar broadcast.",
        sample: """
            {
              sources: {
                gym: { use: "advertisements", devices: "any", formats: ["polarBroadcast"] },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
