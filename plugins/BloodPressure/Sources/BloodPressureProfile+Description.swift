import Bluetooth
import GatewayCore

extension BloodPressureProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads blood pressure cuffs with the Bluetooth Blood Pressure Service.",
        settings: [DeviceUser.setting],
        sample: """
            {
              sources: {
                cuff: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "bloodPressure", user: 1 }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
