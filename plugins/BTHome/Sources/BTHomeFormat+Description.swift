import GatewayCore

extension BTHomeFormat {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads sensors that send their values in the format BTHome v2.",
        settings: [
            PluginDescription.Setting(
                "values",
                "type of each value to store; `temperature2` is the second temperature of a packet",
                kind: .object, default: "{ mass: \"bodyMass\" }", keys: values),
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

    /// The keys of `values`.
    private static var values: [PluginDescription.Setting] {
        names.map { name in
            let unit = unit(of: name).map { ", in \($0)" } ?? ""
            return PluginDescription.Setting(name, "type of this value\(unit)", default: "none")
        }
    }
}
