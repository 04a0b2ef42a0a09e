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

    /// A device takes one reader, with whatever adapter: two adapters hear the same device, and what both
    /// of them read would be there twice.
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
            if case .any = choice { "every Bluetooth device that a profile takes" } else { nil }
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
