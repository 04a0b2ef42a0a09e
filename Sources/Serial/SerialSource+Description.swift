import GatewayCore

extension SerialSource {
    /// The description of `serial` sources for `pulsegate plugins`.
    static let about = PluginDescription(
        summary: "Reads a device on a serial port.",
        settings: [
            PluginDescription.Setting(
                "port",
                #"the port: { path: "/dev/ttyUSB0" }, or vendor, product, serial, idPath"#,
                kind: .object, keys: PortSelector.about),
            spoken,
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
            PluginDescription.Setting(
                "channel",
                "the RFCOMM channel, from \(RFCOMMEndpoint.channels.lowerBound) to "
                    + "\(RFCOMMEndpoint.channels.upperBound)",
                kind: .number, default: "\(RFCOMMEndpoint.defaultChannel)"),
            spoken,
        ],
        sample: """
            {
              sources: {
                strap: { use: "rfcomm", address: "00:07:80:12:34:56", channel: 1, protocol: "hxm" },
              },
            }

            """)

    private static let spoken = PluginDescription.Setting(
        "protocol", "the protocol of the device: its name, or an object with its settings")
}

extension PortSelector {
    /// The descriptions of the keys of `port`.
    fileprivate static let about = [
        PluginDescription.Setting(
            "path", "absolute path of the port; it cannot be combined with the other keys",
            default: "none; required without another key"),
        PluginDescription.Setting(
            "vendor", #"USB vendor of the port, four hexadecimal digits: "10c4""#, default: "any"),
        PluginDescription.Setting(
            "product", #"USB product of the port, four hexadecimal digits: "ea60""#,
            default: "any"),
        PluginDescription.Setting(
            "serial", "USB serial number of the port, up to 256 characters", default: "any"),
        PluginDescription.Setting(
            "idPath", "place where the port is plugged in, ID_PATH of udev, up to 256 characters",
            default: "any"),
    ]
}
