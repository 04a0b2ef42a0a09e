import Advertisements
import Bluetooth
import GatewayCore
import JSON
import Serial

/// The list as JSON.
extension DeviceList {
    /// One object with `devices` and `ports`.
    var value: JSONValue {
        .object([
            "v": .number(1), "devices": .array(rows.map(\.value)),
            "ports": .array(ports.map { value(of: $0) }),
        ])
    }

    private func value(of port: SerialPortDescription) -> JSONValue {
        var object: [String: JSONValue] = [
            "path": .string(port.path), "links": .strings(port.links),
            "protocols": .strings(matchingProtocols(of: port)),
        ]
        object["vendor"] = port.vendor.map(JSONValue.string)
        object["product"] = port.product.map(JSONValue.string)
        object["serial"] = port.serial.map(JSONValue.string)
        object["vendorName"] = port.vendorName.map(JSONValue.string)
        object["productName"] = port.productName.map(JSONValue.string)
        object["idPath"] = port.idPath.map(JSONValue.string)
        object["driver"] = port.driver.map(JSONValue.string)
        object["access"] = port.access.map { access in
            .object([
                "owner": .string(access.owner), "group": .string(access.group),
                "mode": .string(String(access.mode, radix: 8)),
                "granted": .boolean(access.isGranted),
            ])
        }
        adoption(of: port.path).add(to: &object)
        return .object(object)
    }
}

extension DeviceList.Row {
    fileprivate var value: JSONValue {
        var object: [String: JSONValue] = [
            "address": .string(device.address.description),
            "services": .strings(device.services.map(\.shortest).sorted()),
            "profiles": .strings(matchingProfiles), "formats": .strings(matchingFormats),
            "connected": .boolean(device.isConnected),
            "paired": .boolean(device.isPaired), "adapter": .string(device.adapter),
        ]
        object["name"] = device.name.map(JSONValue.string)
        object["signal"] = device.signalStrength.map { .number(Double($0)) }
        adoption.add(to: &object)
        return .object(object)
    }
}

extension DeviceList.AdoptionState {
    /// Adds the state and the person to a JSON object.
    fileprivate func add(to object: inout [String: JSONValue]) {
        object["adopted"] = .boolean(state != nil)
        object["person"] = person.map(JSONValue.string)
    }
}

extension JSONValue {
    /// An array of strings.
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(Self.string)) }
}
