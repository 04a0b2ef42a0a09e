package import GatewayCore
import JSON

/// What the configuration says about a store: shared by the sink that writes it and the commands that read it.
package struct StoreSettings: Sendable, Hashable {
    /// The word for a store in the configuration's `use`.
    package static let use = "sqlite"
    /// The settings it knows.
    package static let keys = ["path", "retention"]
    /// The file in the data directory when no path is set.
    package static let defaultPath = "health.sqlite"

    /// The path as written, relative to the data directory when it does not begin with a slash.
    package let path: String
    /// What is kept; everything when nothing is said.
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
