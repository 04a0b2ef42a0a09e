import GatewayCore
import Programs

extension Program {
    /// The descriptions of the settings of a program.
    static let settings = [
        PluginDescription.Setting(
            "command", #"the program and its arguments: ["/usr/local/bin/my-sensor", "--fast"]"#,
            kind: .strings),
        PluginDescription.Setting(
            "environment",
            "variables for the program, beside PATH, HOME and a few others of the gateway",
            kind: .object, default: "none"),
        PluginDescription.Setting(
            "directory", "the working directory, relative to the data directory",
            default: "the data directory"),
    ]
}

extension ExecSource {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Runs a program that prints readings and records as lines of JSON.",
        settings: Program.settings,
        sample: """
            {
              sources: {
                // A program in any language prints one reading a line.
                own: { use: "exec", command: ["sh", "/usr/local/lib/my-sensor.sh", "--fast"] },
              },
              sinks: {
                store: { use: "sqlite" },
                // Another one gets every heart rate.
                mine: { use: "exec", command: ["sh", "/usr/local/lib/my-sink.sh"], types: ["heartRate"] },
              },
            }

            """)
}
