import Advertisements
import Bluetooth
import GatewayCore
import JSON
import Reports
import Serial

/// The list as JSON.
extension DeviceList {
    /// The devices and ports for programs; JSON is one object with `devices` and `ports`.
    var report: Report {
        let devices = rows.map(\.fields)
        let ports = ports.map { fields(of: $0) }
        func values(_ objects: [[String: JSONValue]], _ kind: String) -> [JSONValue] {
            objects.map { .object($0.merging(["kind": .string(kind)]) { $1 }) }
        }
        return Report(
            columns: [
                "kind", "address", "path", "name", "signal", "services", "profiles", "formats",
                "protocols", "connected", "paired", "adopted", "person", "vendorName",
                "productName", "serial", "access.granted",
            ], values: values(devices, "device") + values(ports, "port"),
            document: .object([
                "v": .number(1), "devices": .array(devices.map(JSONValue.object)),
                "ports": .array(ports.map(JSONValue.object)),
            ]))
    }

    private func fields(of port: SerialPortDescription) -> [String: JSONValue] {
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
        return object
    }
}

extension DeviceList.Row {
    fileprivate var fields: [String: JSONValue] {
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
        return object
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
