import Bluetooth
import GatewayCore

extension WeightScaleProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads scales with the Bluetooth Weight Scale Service.",
        settings: [DeviceUser.setting],
        sample: """
            {
              sources: {
                scale: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "weightScale", user: 1 }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
