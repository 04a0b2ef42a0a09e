public import GatewayCore
import JSON
import Platform

extension BluetoothSource {
    /// Makes the factory of `bluetooth` sources for the built-in profiles.
    ///
    /// The settings are `{ use: "bluetooth", devices: …, deny: […], profiles: […], adapter: …,
    /// acquireNotify: …, linksPerAdapter: … }`.
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
            var selection = try BluetoothSelection(.named(own), settings)
            if let chosen = try BluetoothSelection(settings) { selection = chosen }
            let chosenProfiles = try GATTProfileFactory.makeProfiles(
                settings["profiles"], from: profiles, types: node.types)
            for overlap in ProfileOverlap.all(of: chosenProfiles) {
                context.log.warning(
                    "two profiles read one characteristic; the second one gets no values",
                    [
                        "characteristic": overlap.characteristic.shortest,
                        "profile": overlap.reader, "second": overlap.ignored,
                    ])
            }
            var acquired = AcquiredNotifications.none
            if let setting = settings["acquireNotify"] {
                acquired = try AcquiredNotifications(setting, profiles: chosenProfiles)
            }
            return BluetoothSource(
                selection: selection, profiles: chosenProfiles,
                profileSettings: settings["profiles"]?.value, acquired: acquired,
                linksPerAdapter: try settings["linksPerAdapter"]?.integer(in: 1...1_000),
                busAddress: busAddress, context: context)
        }
    }

    private static let keys = [
        "use", "devices", "deny", "profiles", "adapter", "acquireNotify", "linksPerAdapter",
    ]

    /// Claims devices independently of the adapter: two adapters in range of the same device would
    /// read every value twice.
    private static func claim(_ node: ConfigurationNode) throws(ConfigurationError) -> DeviceClaim {
        let settings = try node.object(keys: keys)
        let exceptions = try BluetoothSelection.denied(settings)
        let choice: DeviceClaim.Choice
        switch try BluetoothSelection(settings)?.devices {
        case nil: choice = .adopted(except: Set(exceptions.map(\.description)))
        case .any?: choice = .any(except: Set(exceptions.map(\.description)))
        case .named(let addresses)?:
            choice = .named(Set(addresses.subtracting(exceptions).map(\.description)))
        }
        let phrase: String? =
            if case .any = choice { "every Bluetooth device that matches a profile" } else { nil }
        return DeviceClaim(choice, over: "bluetooth", phrase: phrase)
    }
}
