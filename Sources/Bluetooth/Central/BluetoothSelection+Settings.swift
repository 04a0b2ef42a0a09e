package import GatewayCore
import JSON

/// The settings `devices`, `deny` and `adapter` of a source.
extension BluetoothSelection {
    /// Reads the settings; nil without `devices`.
    package init?(_ settings: ConfigurationObject) throws(ConfigurationError) {
        guard let node = settings["devices"] else { return nil }
        try self.init(Self.devices(node), settings)
    }

    /// A selection of devices, with the other settings.
    init(_ devices: Devices, _ settings: ConfigurationObject) throws(ConfigurationError) {
        self.init(devices: devices)
        denied = try Self.denied(settings)
        adapter = try settings["adapter"].map(Self.adapter)
    }

    /// The addresses in `deny`.
    static func denied(
        _ settings: ConfigurationObject
    ) throws(ConfigurationError) -> Set<BluetoothAddress> {
        try settings["deny"].map(addresses) ?? []
    }

    private static func devices(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Devices {
        if case .string = node.value {
            _ = try node.choice(of: ["any"])
            return .any
        }
        let named = try addresses(node)
        guard !named.isEmpty else {
            throw node.error("must not be empty; omit it to read the adopted devices")
        }
        return .named(named)
    }

    private static func addresses(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Set<BluetoothAddress> {
        var addresses: Set<BluetoothAddress> = []
        for entry in try node.array() { addresses.insert(try .from(entry)) }
        return addresses
    }

    /// Reads the setting `adapter`: an address or a name.
    package static func adapter(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> String {
        let text = try node.string()
        let isName = UInt16(text.dropFirst(3)).map { "hci\($0)" == text } ?? false
        guard isName || BluetoothAddress(text) != nil else {
            throw node.error(
                "must be an adapter address or name, such as 00:1A:7D:DA:71:13 or hci0")
        }
        return text
    }
}
