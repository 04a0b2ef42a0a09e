import GatewayCore

extension InfiniTimeProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads the step counter of a PineTime watch with InfiniTime.",
        sample: """
            {
              sources: {
                watch: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: ["infiniTime"],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
