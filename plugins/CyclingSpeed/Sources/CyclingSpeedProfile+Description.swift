import Bluetooth
import Cycling
import GatewayCore

extension CyclingSpeedProfile {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Reads wheel and crank sensors with the Cycling Speed and Cadence Service.",
        settings: [Wheel.setting],
        sample: """
            {
              sources: {
                bicycle: {
                  use: "bluetooth",
                  devices: ["D0:11:22:33:44:55"],
                  profiles: [{ use: "cyclingSpeed", wheel: 2070 }],
                },
              },
              sinks: {
                store: { use: "sqlite" },
              },
            }

            """)
}
