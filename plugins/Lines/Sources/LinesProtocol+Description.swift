import GatewayCore

extension LinesProtocol {
    /// What `pulsegate plugins` tells; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary:
            "Reads pedometers and other devices that print what they measure as lines of text.",
        settings: [
            PluginDescription.Setting(
                "preset",
                "what the lines look like",
                kind: .words(LinePreset.table.map(\.name)), default: "`templates` says it"),
            PluginDescription.Setting(
                "templates",
                "what the lines of another device look like: [\"Skin: {skinTemperature degC}\"]",
                kind: .strings, default: "`preset` says it"),
            PluginDescription.Setting(
                "baud", "the rate of the line in bits per second; `templates` need it",
                kind: .number, default: "the preset's"),
        ],
        sample: """
            {
              sources: {
                foot: {
                  use: "serial",
                  port: { path: "/dev/ttyUSB0" }, // steadier: a name under /dev/serial/by-id or by-path
                  protocol: {
                    use: "lines",
                    preset: "steps",
                    // baud: 9600,                // when the sketch sets another rate than the preset's
                  },
                },
              },
              sinks: {
                lines: { use: "stdout" },
              },
            }

            """)
}
