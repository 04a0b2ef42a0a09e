import GatewayCore

extension SerialSource {
    /// The description of `serial` sources for `pulsegate plugins`.
    static let about = PluginDescription(
        summary: "Reads a device on a serial port.",
        settings: [
            PluginDescription.Setting(
                "port",
                #"the port: { path: "/dev/ttyUSB0" }, or vendor, product, serial, idPath"#,
                kind: .object),
            PluginDescription.Setting(
                "protocol", "the protocol of the device: its name, or an object with its settings"),
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

    /// The description of `rfcomm` sources for `pulsegate plugins`.
    static let aboutRFCOMM = PluginDescription(
        summary: "Reads a device that offers a serial port over classic Bluetooth.",
        settings: [
            PluginDescription.Setting("address", "the device's Bluetooth address"),
            PluginDescription.Setting("channel", "the RFCOMM channel", kind: .number, default: "1"),
            PluginDescription.Setting(
                "protocol", "the protocol of the device: its name, or an object with its settings"),
        ],
        sample: """
            {
              sources: {
                strap: { use: "rfcomm", address: "00:07:80:12:34:56", channel: 1, protocol: "hxm" },
              },
            }

            """)
}
