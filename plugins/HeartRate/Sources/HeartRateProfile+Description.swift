import GatewayCore

extension HeartRateProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads heart-rate sensors with the Bluetooth Heart Rate Service.",
        settings: [
            PluginDescription.Setting(
                "energy", "whether to record the energy expended as reported by the sensor",
                kind: .boolean, default: "true"),
            PluginDescription.Setting(
                "quirks", "deviations of specific sensor models from the service",
                kind: .objects, default: "the built-in table", keys: HeartRateQuirk.settings),
        ],
        sample: """
            {
              sources: {
                straps: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "heartRate", energy: false }],
                },
              },
              sinks: {
                lines: { use: "stdout" },
              },
            }

            """)
}

extension HeartRateQuirk {
    /// The descriptions of the keys of an entry of `quirks`.
    static let settings = [
        PluginDescription.Setting(
            "manufacturer", "complete manufacturer name of the sensors, case-sensitive"),
        PluginDescription.Setting(
            "model", "beginning of the model number of the sensors", default: "any"),
        PluginDescription.Setting(
            "rrUnit", "unit of their R-R intervals",
            kind: .words(RRUnit.allCases.map(\.rawValue)),
            default: "not changed; required without `contact`"),
        PluginDescription.Setting(
            "contact", "whether their bits for skin contact are used",
            kind: .words(ContactBits.allCases.map(\.rawValue)),
            default: "not changed; required without `rrUnit`"),
    ]
}
