import GatewayCore
import Programs

extension ExecProtocol {
    /// The description for `pulsegate plugins`.
    static let about = PluginDescription(
        summary: "Decodes the bytes of a serial port with a program.",
        settings: Program.settings + [
            PluginDescription.Setting(
                "baud", "baud rate of a serial port; `rfcomm` has none", kind: .number,
                default: "9600"),
            ProgramDecoder.silenceLimitSetting,
        ],
        sample: """
            {
              sources: {
                foot: {
                  use: "serial",
                  port: { path: "/dev/ttyUSB0" },
                  protocol: { use: "exec", command: ["python3", "/usr/local/lib/foot.py"], baud: 115200 },
                },
              },
              sinks: { store: { use: "sqlite" } },
            }

            """)
}

extension ExecProfile {
    /// The description for `pulsegate plugins`.
    static let about = PluginDescription(
        summary: "Decodes the values of a GATT service with a program.",
        settings: [
            PluginDescription.Setting("name", "name of the profile in the log"),
            PluginDescription.Setting("service", "UUID of the service: \"180d\", or the long form"),
            PluginDescription.Setting(
                "subscribe", "UUIDs of the characteristics to subscribe to", kind: .strings),
            PluginDescription.Setting(
                "read", "UUIDs of the characteristics to read once", kind: .strings,
                default: "none"),
            ProgramDecoder.silenceLimitSetting,
        ] + Program.settings,
        sample: """
            {
              sources: {
                straps: {
                  use: "bluetooth",
                  profiles: [
                    "heartRate",
                    {
                      use: "exec",
                      name: "glove",
                      service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e",
                      subscribe: ["6e400003-b5a3-f393-e0a9-e50e24dcca9e"],
                      command: ["python3", "/usr/local/lib/glove.py"],
                    },
                  ],
                },
              },
              sinks: { store: { use: "sqlite" } },
            }

            """)
}

extension ProgramDecoder {
    fileprivate static let silenceLimitSetting = PluginDescription.Setting(
        "silenceLimit", "seconds without a reading after which the device is stale",
        kind: .number, default: "none")
}
