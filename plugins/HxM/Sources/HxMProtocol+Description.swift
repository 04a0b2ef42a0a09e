import GatewayCore

extension HxMProtocol {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary:
            "Reads heart rate, beats, steps, distance and speed from a Zephyr HxM BT chest strap.",
        sample: """
            {
              sources: {
                chest: {
                  use: "serial",
                  port: { path: "/dev/rfcomm0" },
                  protocol: "hxm",
                },
              },
              sinks: {
                lines: { use: "stdout" },
              },
            }

            """)
}
