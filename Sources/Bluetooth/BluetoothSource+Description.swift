import GatewayCore

extension BluetoothSource {
    /// The description of `bluetooth` sources for `pulsegate plugins`.
    static let about = PluginDescription(
        summary: "Reads Bluetooth Low Energy devices through bluetoothd.",
        settings: [
            PluginDescription.Setting(
                "devices", #"addresses to read, or "any" for every device that matches a profile"#,
                kind: .strings, default: "adopted devices"),
            PluginDescription.Setting(
                "deny", "addresses never to connect to", kind: .strings, default: "none"),
            PluginDescription.Setting(
                "profiles",
                #"profiles to read devices with, by name or with settings: ["heartRate"]"#,
                kind: .strings, default: "all built-in profiles that need not be named"),
            PluginDescription.Setting(
                "adapter", "adapter to use: an address, or a name such as hci0",
                default: "all adapters"),
            PluginDescription.Setting(
                "acquireNotify",
                "whose notifications come over a socket of their own, which costs less and shuts out "
                    + #"other programs: "all", or addresses and profiles such as ["heartRate"]"#,
                kind: .strings, default: "none"),
            PluginDescription.Setting(
                "linksPerAdapter",
                "most devices that each adapter connects; without it an adapter is full when it says so",
                kind: .number, default: "no limit"),
        ],
        sample: """
            {
              sources: {
                // The devices adopted with `pulsegate adopt`.
                straps: { use: "bluetooth" },
                // Every device in range except this one.
                // gym: { use: "bluetooth", devices: "any", deny: ["D0:11:22:33:44:55"] },
              },
            }

            """)
}
