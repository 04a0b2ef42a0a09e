public import GatewayCore
import JSON

extension BluetoothSource {
    /// Makes the factory of `bluetooth` sources for the profiles that are built in.
    ///
    /// The settings are `{ use: "bluetooth", devices: …, deny: […], profiles: […], adapter: … }`, all
    /// of them optional. Without `devices` those are read that the user has adopted.
    ///
    /// - Parameters:
    ///   - profiles: What is built in.
    ///   - busAddress: The bus that bluetoothd is on; nil for the system's.
    public static func factory(
        profiles: [GATTProfileFactory], busAddress: String?
    ) -> SourceFactory {
        SourceFactory(use: "bluetooth", about: about, findsAdopted: true) {
            node, context throws(ConfigurationError) in
            let settings = try node.object(
                keys: ["use", "devices", "deny", "profiles", "adapter"])
            var selection = BluetoothSelection(devices: try devices(settings["devices"], context))
            selection.denied = try settings["deny"].map(addresses) ?? []
            selection.adapter = try settings["adapter"].map(adapter)
            return BluetoothSource(
                selection: selection,
                profiles: try GATTProfileFactory.makeProfiles(settings["profiles"], from: profiles),
                profileSettings: settings["profiles"]?.value, busAddress: busAddress,
                context: context)
        }
    }

    private static func devices(
        _ node: ConfigurationNode?, _ context: ComponentContext
    ) throws(ConfigurationError) -> BluetoothSelection.Devices {
        guard let node else {
            return .named(Set(context.adopted.compactMap { BluetoothAddress($0) }))
        }
        if case .string = node.value {
            _ = try node.choice(of: ["any"])
            return .any
        }
        let named = try addresses(node)
        guard !named.isEmpty else {
            throw node.error("names no device; leave it out to read the adopted ones")
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

    private static func adapter(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        let isName = UInt16(text.dropFirst(3)).map { "hci\($0)" == text } ?? false
        guard isName || BluetoothAddress(text) != nil else {
            throw node.error("is neither an address, such as 00:1A:7D:DA:71:13, nor a name, hci0")
        }
        return text
    }
}
