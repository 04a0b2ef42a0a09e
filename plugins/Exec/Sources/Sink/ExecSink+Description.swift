import GatewayCore
import Programs

extension ExecSink {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Gives batches of records to a program, which acknowledges them.",
        settings: Program.settings + [
            PluginDescription.Setting(
                "timeout", "the time limit of a batch in seconds, 1 to 3600", kind: .number,
                default: "30")
        ],
        sample: """
            {
              sinks: {
                store: { use: "sqlite" },
                mine: { use: "exec", command: ["sh", "/usr/local/lib/my-sink.sh"], timeout: 10 },
              },
            }

            """)
}
