import GatewayCore

extension LinesProtocol {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary:
            "Reads pedometers and other devices that print values as lines of text.",
        settings: [
            PluginDescription.Setting(
                "preset",
                "format of the lines",
                kind: .words(LinePreset.table.map(\.name)),
                default: "none; required without `templates`"),
            PluginDescription.Setting(
                "templates",
                "up to \(templateLimit) line templates for other devices: "
                    + "[\"Skin: {mySkinTemperature degC}\"]",
                kind: .strings, default: "those of the preset"),
            PluginDescription.Setting(
                "baud", "baud rate of a serial port in bits per second; `rfcomm` has none",
                kind: .number, default: "that of the preset, 9600 with `templates`"),
        ],
        sample: """
            {
              sources: {
                foot: {
                  use: "serial",
                  port: { path: "/dev/ttyUSB0" }, // or a stable path from /dev/serial/by-id
                  protocol: {
                    use: "lines",
                    preset: "steps",
                    // baud: 9600,                // if it differs from the preset
                  },
                },
              },
              sinks: {
                lines: { use: "stdout" },
              },
            }

            """)
}
