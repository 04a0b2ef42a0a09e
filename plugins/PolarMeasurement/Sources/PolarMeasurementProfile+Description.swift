import GatewayCore

extension PolarMeasurementProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads pulse intervals, electrocardiograms and acceleration of Polar's sensors.",
        settings: [
            PluginDescription.Setting(
                "maximumError",
                "largest error of an interval in ms, as the sensor estimates it, 0 to 1000",
                kind: .number, default: "\(PulseQuality.usualError)"),
            PluginDescription.Setting(
                "electrocardiogram",
                "whether an H10 sends its electrocardiogram, 130 values a second",
                kind: .boolean, default: "false"),
            PluginDescription.Setting(
                "acceleration",
                "whether a sensor sends its acceleration along three axes, about 50 values a second each",
                kind: .boolean, default: "false"),
        ],
        sample: """
            {
              sources: {
                armband: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: ["heartRate", { use: "polarMeasurement", maximumError: 20 }],
                },
                strap: {
                  use: "bluetooth",
                  devices: ["A0:9E:1A:12:34:56"],
                  profiles: [
                    "heartRate",
                    { use: "polarMeasurement", electrocardiogram: true, acceleration: true },
                  ],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
