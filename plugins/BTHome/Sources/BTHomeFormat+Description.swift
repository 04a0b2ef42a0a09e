import GatewayCore

extension BTHomeFormat {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads sensors that send their values in the format BTHome v2.",
        settings: [
            PluginDescription.Setting(
                "values",
                "type of each value to store, by its name: "
                    + names.map { "`\($0)`" }.joined(separator: ", ")
                    + "; a number behind it is that of an equal object in the same packet",
                kind: .object, default: "{ mass: \"bodyMass\" }"),
            PluginDescription.Setting(
                "keys", "key of each device that encrypts, by its address: 32 hexadecimal digits",
                kind: .secrets, default: "none"),
        ],
        sample: """
            {
              sources: {
                room: {
                  use: "advertisements",
                  devices: ["54:48:E6:8F:80:A5"],
                  formats: [{ use: "bthome", values: { mass: "bodyMass" } }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
