extension Link {
    /// What a device that was seen waits for.
    enum Wait: Hashable, Sendable {
        /// The adapter is connecting another device.
        case adapter
        /// The adapters that receive the device have no free connection.
        case connection

        var reason: String {
            switch self {
            case .adapter: "seen; waiting for the adapter"
            case .connection: "seen; the adapter has no free connection"
            }
        }
    }
}
