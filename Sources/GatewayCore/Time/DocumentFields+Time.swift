package import HealthModel
package import JSON

extension DocumentFields {
    /// A time in ISO 8601 format; nil when it is missing.
    package func time(_ key: String) throws(JSONError) -> Instant? {
        guard let node = nodes[key] else { return nil }
        guard let time = Instant(iso8601: try node.string()) else {
            throw node.error("is not an ISO 8601 time")
        }
        return time
    }
}
