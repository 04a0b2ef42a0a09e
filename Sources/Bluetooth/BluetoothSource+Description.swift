import GatewayCore

extension BluetoothSource {
    /// What `pulsegate plugins` tells of `bluetooth` sources.
    static let about = PluginDescription(
        summary: "Reads Bluetooth low-energy devices through bluetoothd.",
        settings: [
            PluginDescription.Setting(
                "devices", #"the addresses to read, or "any" for all that a profile takes"#,
                kind: .strings, default: "those that are adopted"),
            PluginDescription.Setting(
                "deny", "addresses that are never connected", kind: .strings, default: "none"),
            PluginDescription.Setting(
                "profiles", #"what devices are read with: ["heartRate"]"#,
                kind: .strings, default: "everything that is built in"),
            PluginDescription.Setting(
                "adapter", "the adapter to use, by its address or as hci0", default: "every one"),
        ],
        sample: """
            {
              sources: {
                // The devices that `pulsegate adopt` has made yours.
                straps: { use: "bluetooth" },
                // Whoever is in the room, but not this one.
                // gym: { use: "bluetooth", devices: "any", deny: ["D0:11:22:33:44:55"] },
              },
            }

            """)
}
