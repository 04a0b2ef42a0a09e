import GatewayCore
import SQLiteStore

extension SQLiteSink {
    /// The description for `pulsegate plugins`; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Stores records in a SQLite file, which `pulsegate query` reads.",
        settings: [
            PluginDescription.Setting(
                "path", "path of the file, relative to the data directory",
                default: StoreSettings.defaultPath),
            PluginDescription.Setting(
                "retention",
                "maximum age and size of the stored records: { age: \"90d\", size: \"500 MiB\" }",
                kind: .object, default: "unlimited", keys: Retention.settings),
        ],
        sample: """
            {
              // Store the samples of a Zephyr HxM; every commit waits for the disk.
              journal: { durability: "powerLoss" },
              sources: {
                strap: { use: "serial", port: { path: "/dev/rfcomm0" }, protocol: "hxm" },
              },
              sinks: {
                store: { use: "sqlite", path: "health.sqlite" },
              },
            }

            """)
}
