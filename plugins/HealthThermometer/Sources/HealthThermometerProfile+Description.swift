import GatewayCore

extension HealthThermometerProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads clinical thermometers with the Bluetooth Health Thermometer Service.",
        sample: """
            {
              sources: {
                thermometer: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: ["healthThermometer"],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
