package import GatewayCore
import JSON

/// The configuration of a store, shared by the sink that writes to it and the commands that read
/// it.
package struct StoreSettings: Sendable, Hashable {
    /// The value of `use` for a store in the configuration.
    package static let use = "sqlite"
    /// The configuration keys.
    package static let keys = ["path", "retention"]
    /// The default file in the data directory.
    package static let defaultPath = "health.sqlite"

    /// The configured path, relative to the data directory unless it starts with a slash.
    package let path: String
    /// The retention policy; unlimited by default.
    package let retention: Retention

    /// Reads the settings.
    package init(_ object: ConfigurationObject) throws(ConfigurationError) {
        path = try object["path"]?.string() ?? Self.defaultPath
        if let node = object["retention"] {
            retention = try Retention(node)
        } else {
            retention = Retention()
        }
    }
}
