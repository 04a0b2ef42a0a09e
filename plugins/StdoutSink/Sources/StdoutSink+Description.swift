import GatewayCore

extension StdoutSink {
    /// What `pulsegate plugins` tells; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Writes every record to standard output as a line of JSON.",
        sample: """
            {
              // Print what a pedometer measures, besides keeping it.
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
