import GatewayCore

extension PolarMeasurementProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads the pulse intervals of Polar's optical sensors.",
        settings: [
            PluginDescription.Setting(
                "maximumError",
                "largest error of an interval in ms, as the sensor estimates it, 0 to 1000",
                kind: .number, default: "\(PulseQuality.usualError)")
        ],
        sample: """
            {
              sources: {
                armband: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: ["heartRate", { use: "polarMeasurement", maximumError: 20 }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
