import Bluetooth
import Cycling
import GatewayCore

extension CyclingPowerProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads power meters with the Bluetooth Cycling Power Service.",
        settings: [Wheel.setting],
        sample: """
            {
              sources: {
                bicycle: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "cyclingPower", wheel: 2070 }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
