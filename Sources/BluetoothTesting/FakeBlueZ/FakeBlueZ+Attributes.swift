import DBus

/// The GATT attribute of an object below a device.
enum FakeNode {
    case service
    case characteristic(FakeCharacteristic)
    case descriptor(FakeDescriptor)
}

/// The D-Bus objects of a device's GATT attributes, with increasing handles.
struct FakeAttributeObjects {
    /// The handles before it belong to attributes that every device has first.
    private static let firstHandle = 0x0006

    struct Object {
        let path: String
        let interface: String
        let properties: FakeManagedObjects.Properties
        let node: FakeNode
        /// The UUID of the service that it belongs to.
        let service: String
    }

    private(set) var objects: [Object] = []
    private var nextHandle = Self.firstHandle
    private var service = ""

    init(_ services: [FakeService], device: String) {
        for service in services { add(service, device) }
    }

    private mutating func add(_ service: FakeService, _ device: String) {
        self.service = FakeUUID.full(service.uuid)
        let path = "\(device)/service\(nextHandleDigits())"
        objects.append(
            Object(
                path: path, interface: FakeInterface.service,
                properties: [
                    "UUID": .string(FakeUUID.full(service.uuid)), "Device": .objectPath(device),
                    "Primary": .boolean(true), "Includes": .array([], of: "o"),
                ], node: .service, service: self.service))
        for characteristic in service.characteristics { add(characteristic, path) }
    }

    private mutating func add(_ characteristic: FakeCharacteristic, _ service: String) {
        let path = "\(service)/char\(nextHandleDigits())"
        _ = nextHandleDigits()
        var properties: FakeManagedObjects.Properties = [
            "UUID": .string(FakeUUID.full(characteristic.uuid)), "Service": .objectPath(service),
            "Flags": .strings(characteristic.flags), "MTU": .uint16(247),
        ]
        if characteristic.canNotify {
            properties["Notifying"] = .boolean(false)
            properties["NotifyAcquired"] = .boolean(false)
        }
        objects.append(
            Object(
                path: path, interface: FakeInterface.characteristic, properties: properties,
                node: .characteristic(characteristic), service: self.service))
        let configuration =
            characteristic.canNotify
            ? [FakeDescriptor(FakeUUID.clientConfiguration, value: [0, 0])] : []
        for descriptor in configuration + characteristic.descriptors { add(descriptor, path) }
    }

    private mutating func add(_ descriptor: FakeDescriptor, _ characteristic: String) {
        objects.append(
            Object(
                path: "\(characteristic)/desc\(nextHandleDigits())",
                interface: FakeInterface.descriptor,
                properties: [
                    "UUID": .string(FakeUUID.full(descriptor.uuid)),
                    "Characteristic": .objectPath(characteristic),
                ], node: .descriptor(descriptor), service: service))
    }

    private mutating func nextHandleDigits() -> String {
        defer { nextHandle += 1 }
        let digits = String(nextHandle, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension FakeBlueZ {
    /// Adds the objects of a device's attributes that do not exist yet.
    func showAttributes(of device: FakeDevice, at path: String) {
        var hidden = Set(device.behaviour.hiddenServices.map(FakeUUID.full))
        if !options.exportsBatteryService { hidden.insert(FakeUUID.batteryService) }
        // Hidden attributes keep their handles.
        let objects = FakeAttributeObjects(device.services, device: path).objects
        for object in objects where !hidden.contains(object.service) && !tree.exists(object.path) {
            devices[path]?.nodes[object.path] = object.node
            emit(tree.add(object.path, object.interface, object.properties))
        }
        if let level = Self.batteryLevel(of: device) {
            emit(tree.add(path, FakeInterface.battery, ["Percentage": .byte(level)]))
        }
        for (characteristic, senders) in devices[path]?.notifiers ?? [:] where !senders.isEmpty {
            setNotifying(characteristic, true)
        }
    }

    func hideAttributes(_ path: String) {
        devices[path]?.nodes = [:]
        devices[path]?.notifiers = [:]
        for object in tree.paths(from: path) where object != path { emit(tree.remove(object)) }
    }

    private static func batteryLevel(of device: FakeDevice) -> UInt8? {
        device.services.first { FakeUUID.full($0.uuid) == FakeUUID.batteryService }?
            .characteristics.first { FakeUUID.full($0.uuid) == FakeUUID.batteryLevel }?.value.first
    }

    func setNotifying(_ characteristic: String, _ isNotifying: Bool) {
        emit(
            tree.set(
                characteristic, FakeInterface.characteristic,
                ["Notifying": .boolean(isNotifying)]))
    }

    /// Ends the subscriptions of a connection to a device's characteristics.
    func stopNotifying(_ path: String, _ sender: String) {
        releaseAll(of: path, by: sender)
        for (characteristic, senders) in devices[path]?.notifiers ?? [:]
        where senders.contains(sender) {
            devices[path]?.notifiers[characteristic]?.remove(sender)
            if senders.count == 1 { setNotifying(characteristic, false) }
        }
    }

    /// The path of the device that an object is or belongs to.
    func device(ofObject path: String) -> String? {
        let parts = path.split(separator: "/").prefix(4)
        return parts.count == 4 ? "/" + parts.joined(separator: "/") : nil
    }

    func node(_ path: String) -> FakeNode? {
        device(ofObject: path).flatMap { devices[$0]?.nodes[path] }
    }
}
