import GatewayCore

extension StdoutSink {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Writes every record to standard output as a line of JSON.",
        sample: """
            {
              // Print the samples of a pedometer, and also store them.
              sources: {
                foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: { use: "lines", preset: "steps" } },
              },
              sinks: {
                store: { use: "sqlite" },
                lines: { use: "stdout", types: ["stepCount"] },
              },
            }

            """)
}
