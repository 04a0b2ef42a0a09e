import Bluetooth
import GatewayCore
import Serial

/// The list for programs.
extension DeviceList {
    /// One object with `devices` and `ports`.
    var value: ConfigurationValue {
        .object([
            "v": .number(1), "devices": .array(rows.map(\.value)),
            "ports": .array(ports.map { value(of: $0) }),
        ])
    }

    private func value(of port: SerialPortDescription) -> ConfigurationValue {
        var object: [String: ConfigurationValue] = [
            "path": .string(port.path), "links": .strings(port.links),
            "protocols": .strings(readers(of: port)),
        ]
        object["vendor"] = port.vendor.map(ConfigurationValue.string)
        object["product"] = port.product.map(ConfigurationValue.string)
        object["serial"] = port.serial.map(ConfigurationValue.string)
        object["vendorName"] = port.vendorName.map(ConfigurationValue.string)
        object["productName"] = port.productName.map(ConfigurationValue.string)
        object["idPath"] = port.idPath.map(ConfigurationValue.string)
        object["driver"] = port.driver.map(ConfigurationValue.string)
        object["access"] = port.access.map { access in
            .object([
                "owner": .string(access.owner), "group": .string(access.group),
                "mode": .string(String(access.mode, radix: 8)),
                "granted": .boolean(access.isGranted),
            ])
        }
        standing(of: port.path).add(to: &object)
        return .object(object)
    }
}

extension DeviceList.Row {
    fileprivate var value: ConfigurationValue {
        var object: [String: ConfigurationValue] = [
            "address": .string(device.address.description),
            "services": .strings(device.services.map(\.shortest).sorted()),
            "profiles": .strings(readers), "connected": .boolean(device.isConnected),
            "paired": .boolean(device.isPaired), "adapter": .string(device.adapter),
        ]
        object["name"] = device.name.map(ConfigurationValue.string)
        object["signal"] = device.signalStrength.map { .number(Double($0)) }
        standing.add(to: &object)
        return .object(object)
    }
}

extension DeviceList.Standing {
    /// Says what the user has said.
    fileprivate func add(to object: inout [String: ConfigurationValue]) {
        object["adopted"] = .boolean(word != nil)
        object["person"] = person.map(ConfigurationValue.string)
    }
}

extension ConfigurationValue {
    /// A list of texts.
    static func strings(_ texts: [String]) -> ConfigurationValue { .array(texts.map(Self.string)) }
}
