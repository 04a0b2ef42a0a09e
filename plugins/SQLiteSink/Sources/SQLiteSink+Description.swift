import GatewayCore
import HealthStore

extension SQLiteSink {
    /// What `pulsegate plugins` tells; the sample is the text of sample.json5.
    static let about = PluginDescription(
        summary: "Stores records in a SQLite file, which `pulsegate query` reads.",
        settings: [
            PluginDescription.Setting(
                "path", "the file, relative to the data directory",
                default: StoreSettings.defaultPath),
            PluginDescription.Setting(
                "retention",
                "how much is kept; what is older or beyond goes: { age: \"90d\", size: \"500 MiB\" }",
                kind: .object, default: "everything"),
        ],
        sample: """
            {
              // Keep what a Zephyr HxM measures; each commit waits for the disk.
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
