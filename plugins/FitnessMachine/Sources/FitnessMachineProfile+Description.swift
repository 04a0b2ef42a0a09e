import GatewayCore

extension FitnessMachineProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads fitness machines: treadmills, indoor bikes, rowers and cross trainers.",
        sample: """
            {
              sources: {
                gym: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: ["fitnessMachine"],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
