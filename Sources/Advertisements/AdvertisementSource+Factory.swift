import Bluetooth
public import GatewayCore
import JSON

extension AdvertisementSource {
    /// Makes the factory of `advertisements` sources for the built-in formats.
    ///
    /// The settings are `{ use: "advertisements", devices: …, deny: […], formats: […], adapter: … }`.
    ///
    /// - Parameters:
    ///   - formats: The built-in formats.
    ///   - busAddress: The address of bluetoothd's bus; nil for the system bus.
    public static func factory(
        formats: [AdvertisementFormatFactory], busAddress: String?
    ) -> SourceFactory {
        SourceFactory(use: "advertisements", about: about, claim: claim) {
            node, context throws(ConfigurationError) in
            let settings = try node.object(keys: keys)
            return AdvertisementSource(
                selection: try selection(settings),
                formats: try AdvertisementFormatFactory.makeFormats(
                    settings["formats"], from: formats, context),
                formatSettings: try AdvertisementFormatFactory.recordedSettings(
                    settings["formats"], from: formats),
                busAddress: busAddress, context: context)
        }
    }

    private static func selection(
        _ settings: ConfigurationObject
    ) throws(ConfigurationError) -> BluetoothSelection {
        guard let selection = try BluetoothSelection(settings) else {
            _ = try settings.require("devices")
            return BluetoothSelection(devices: .named([]))
        }
        return selection
    }

    private static let keys = ["use", "devices", "deny", "formats", "adapter"]

    /// Claims devices as a `bluetooth` source does: a device that is read by its link and by its
    /// advertisements would have its values twice.
    private static func claim(_ node: ConfigurationNode) throws(ConfigurationError) -> DeviceClaim {
        let selection = try selection(node.object(keys: keys))
        guard selection.devices == .any else {
            return DeviceClaim(.named(Set(selection.named.map(\.description))), over: "bluetooth")
        }
        return DeviceClaim(
            .any(except: Set(selection.denied.map(\.description))), over: "bluetooth",
            phrase: "every device whose advertisements have a known format")
    }

    /// The description of `advertisements` sources for `pulsegate plugins`.
    static let about = PluginDescription(
        summary: "Reads Bluetooth Low Energy devices from their advertisements, without a link.",
        settings: [
            PluginDescription.Setting(
                "devices", #"addresses to read, or "any" for every device with a known format"#,
                kind: .strings),
            PluginDescription.Setting(
                "deny", "addresses never to read", kind: .strings, default: "none"),
            PluginDescription.Setting(
                "formats", #"formats to read: ["bthome"]"#,
                kind: .strings, default: "all built-in formats"),
            PluginDescription.Setting(
                "adapter", "adapter to use: an address, or a name such as hci0",
                default: "all adapters"),
        ],
        sample: """
            {
              sources: {
                // Every sensor in range whose advertisements are understood.
                room: { use: "advertisements", devices: "any" },
              },
            }

            """)
}
