package import GatewayCore
import JSON

/// The sources of the adopted devices, for a configuration without `sources`.
package enum AdoptedSources {
    /// The name of the source that connects to all adopted Bluetooth LE devices.
    package static let bluetooth = "bluetooth"
    /// The name of the source that reads the adopted devices with a format.
    package static let advertisements = "advertisements"
    /// The default RFCOMM channel of classic Bluetooth devices.
    package static let channel = 1.0
    /// The maximum length of a source name.
    private static let nameLimit = 64

    /// Returns a source for each port and each classic Bluetooth device, one for all LE devices that
    /// are connected, and one for those that are read from their advertisements.
    ///
    /// - Parameter devices: The adopted devices that need no source of their own.
    package static func components(
        _ adopted: AdoptedDevices, devices: [String]
    ) -> [GatewayConfiguration.Component] {
        var components: [GatewayConfiguration.Component] = []
        if devices.contains(where: { DeviceIdentifier($0)?.isPort == false }) {
            components.append(component(named: bluetooth, use: bluetooth, path: "devices", [:]))
        }
        let advertising = adopted.devices.filter { $0.format != nil }
        if !advertising.isEmpty { components.append(advertisements(of: advertising)) }
        var names = Set(components.map(\.name))
        for device in adopted.devices where device.identifier.isPort || device.isClassic {
            let name = name(for: device.identifier, besides: names)
            names.insert(name)
            components.append(stream(device, named: name))
        }
        return components
    }

    private static func advertisements(
        of devices: [AdoptedDevice]
    ) -> GatewayConfiguration.Component {
        let formats = Set(devices.compactMap(\.format)).sorted()
        return component(
            named: advertisements, use: advertisements, path: "devices",
            [
                "devices": .array(devices.map { .string($0.identifier.description) }),
                "formats": .array(formats.map(JSONValue.string)),
            ])
    }

    private static func stream(
        _ device: AdoptedDevice, named name: String
    ) -> GatewayConfiguration.Component {
        let identifier = device.identifier.description
        var settings: [String: JSONValue] = [:]
        settings["protocol"] = device.spoken
        if device.identifier.isPort {
            settings["port"] = .object(["path": .string(identifier)])
        } else {
            settings["address"] = .string(identifier)
            settings["channel"] = .number(channel)
        }
        return component(
            named: name, use: device.identifier.isPort ? "serial" : "rfcomm",
            path: "devices.\(identifier)", settings)
    }

    private static func component(
        named name: String, use: String, path: String, _ settings: [String: JSONValue]
    ) -> GatewayConfiguration.Component {
        let settings = settings.merging(["use": .string(use)]) { own, _ in own }
        return GatewayConfiguration.Component(
            name: name, use: use,
            settings: ConfigurationNode(path: path, value: .object(settings)))
    }

    /// A source name made from the identifier: `ttyUSB0`, `pts-3`, `00-07-80-11-22-33`.
    private static func name(
        for identifier: DeviceIdentifier, besides taken: Set<String>
    ) -> String {
        let parts = identifier.description.split(separator: "/")
        let last = parts.last ?? ""
        // A number alone is ambiguous: `/dev/pts/3` becomes `pts-3`.
        let isNumber = last.allSatisfy(\.isNumber)
        let words = isNumber ? parts.suffix(2).joined(separator: "-") : String(last)
        let plain = String(
            words.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) ? $0 : "-" }
        )
        let base = String(plain.prefix(nameLimit - 5))
        if !taken.contains(base) { return base }
        let numbered = (2...taken.count + 2).lazy.map { "\(base)-\($0)" }
        return numbered.first { !taken.contains($0) } ?? base
    }
}
