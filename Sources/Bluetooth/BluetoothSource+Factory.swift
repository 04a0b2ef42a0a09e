public import GatewayCore
import JSON

extension BluetoothSource {
    /// Makes the factory of `bluetooth` sources for the built-in profiles.
    ///
    /// The settings are `{ use: "bluetooth", devices: …, deny: […], profiles: […], adapter: … }`.
    /// All are optional. Without `devices` the source reads the adopted devices.
    ///
    /// - Parameters:
    ///   - profiles: The built-in profiles.
    ///   - busAddress: The address of bluetoothd's bus; nil for the system bus.
    public static func factory(
        profiles: [GATTProfileFactory], busAddress: String?
    ) -> SourceFactory {
        SourceFactory(use: "bluetooth", about: about, claim: claim) {
            node, context throws(ConfigurationError) in
            let settings = try node.object(keys: keys)
            let own = Set(context.adopted.compactMap { BluetoothAddress($0) })
            var selection = BluetoothSelection(
                devices: try settings["devices"].map(devices) ?? .named(own))
            selection.denied = try denied(settings)
            selection.adapter = try settings["adapter"].map(adapter)
            return BluetoothSource(
                selection: selection,
                profiles: try GATTProfileFactory.makeProfiles(settings["profiles"], from: profiles),
                profileSettings: settings["profiles"]?.value, busAddress: busAddress,
                context: context)
        }
    }

    private static let keys = ["use", "devices", "deny", "profiles", "adapter"]

    /// Claims devices independently of the adapter: two adapters in range of the same device would
    /// read every value twice.
    private static func claim(_ node: ConfigurationNode) throws(ConfigurationError) -> DeviceClaim {
        let settings = try node.object(keys: keys)
        let denied = try denied(settings)
        let exceptions = Set(denied.map(\.description))
        let choice: DeviceClaim.Choice =
            switch try settings["devices"].map(devices) {
            case nil: .adopted(except: exceptions)
            case .any?: .any(except: exceptions)
            case .named(let addresses)?:
                .named(Set(addresses.subtracting(denied).map(\.description)))
            }
        let phrase: String? =
            if case .any = choice { "every Bluetooth device that matches a profile" } else { nil }
        return DeviceClaim(choice, over: "bluetooth", phrase: phrase)
    }

    private static func denied(
        _ settings: ConfigurationObject
    ) throws(ConfigurationError) -> Set<BluetoothAddress> {
        try settings["deny"].map(addresses) ?? []
    }

    private static func devices(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> BluetoothSelection.Devices {
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

    private static func adapter(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        let isName = UInt16(text.dropFirst(3)).map { "hci\($0)" == text } ?? false
        guard isName || BluetoothAddress(text) != nil else {
            throw node.error(
                "must be an adapter address or name, such as 00:1A:7D:DA:71:13 or hci0")
        }
        return text
    }
}
