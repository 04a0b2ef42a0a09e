import Bluetooth
import GatewayCore

extension BodyCompositionProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads body fat scales with the Bluetooth Body Composition Service.",
        settings: [DeviceUser.setting],
        sample: """
            {
              sources: {
                scale: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "bodyComposition", user: 1 }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
