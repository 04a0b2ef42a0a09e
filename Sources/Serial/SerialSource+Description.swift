import GatewayCore

extension SerialSource {
    /// What `pulsegate plugins` tells of `serial` sources.
    static let about = PluginDescription(
        summary: "Reads a device on a serial port.",
        settings: [
            PluginDescription.Setting("port", #"where it is: { path: "/dev/ttyUSB0" }"#),
            PluginDescription.Setting(
                "protocol", "what it speaks: a serial protocol's word, or its settings"),
        ],
        sample: """
            {
              sources: {
                strap: { use: "serial", port: { path: "/dev/rfcomm0" }, protocol: "hxm" },
                foot: {
                  use: "serial",
                  port: { path: "/dev/ttyUSB0" },
                  protocol: { use: "lines", preset: "steps" },
                },
              },
            }

            """)
}
