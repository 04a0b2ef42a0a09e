package import DBus

/// A copy of bluetoothd's objects: paths with their interfaces and properties.
///
/// Signals keep it up to date, so no property has to be queried. Devices and adapters are read from
/// their properties when these change, not when somebody looks: a waiting device is looked at far
/// more often.
package struct ManagedObjects: Sendable {
    /// A change made by a signal.
    package enum Change: Hashable, Sendable {
        /// An object has this interface now.
        case added(path: String, interface: String)
        /// An object has lost this interface.
        case removed(path: String, interface: String)
        /// Properties have new values, or were invalidated (`gone`).
        case changed(
            path: String, interface: String, properties: [String: BusValue], gone: [String])
    }

    /// The maximum number of objects; a crowded place has thousands.
    static let objectLimit = 20_000

    /// The bluetoothd that has these objects: the bus and a unique name on it, which are never used
    /// again; empty without one.
    private(set) var daemon = ""
    private typealias Properties = [String: BusValue]
    private var objects: [String: [String: Properties]] = [:]
    private var devicesByPath: [String: BlueZDevice] = [:]
    private var adaptersByPath: [String: BlueZAdapter] = [:]
    /// The objects below each device, by the path of the device.
    private var attributes: [String: Set<String>] = [:]
    /// How often an object was ignored because there were too many.
    private(set) var ignoredCount = 0
    /// How often a device was read as a whole, which is expensive.
    private(set) var deviceReadCount = 0

    /// Makes an empty tree.
    package init() {}

    /// Makes the tree from a `GetManagedObjects` reply; malformed entries are left out.
    ///
    /// - Parameter leftOutCount: The number of objects that are missing in the reply, because it has
    ///   too many values.
    package init(managed: [BusValue], daemon: String, leftOutCount: Int = 0) {
        self.daemon = daemon
        ignoredCount = leftOutCount
        guard case .dictionary(let objects, _, _)? = managed.first else { return }
        for (path, interfaces) in objects {
            guard let path = path.string else { continue }
            _ = add(interfaces, at: path)
        }
    }

    /// Applies a signal of bluetoothd and returns the changes.
    package mutating func apply(_ signal: BusSignal) -> [Change] {
        switch (signal.interface, signal.member) {
        case (BlueZName.objectManager, BlueZName.interfacesAdded):
            guard signal.body.count == 2, let path = signal.body[0].string else { return [] }
            return add(signal.body[1], at: path)
        case (BlueZName.objectManager, BlueZName.interfacesRemoved):
            guard signal.body.count == 2, let path = signal.body[0].string else { return [] }
            return remove(signal.body[1].elements ?? [], at: path)
        case (BlueZName.properties, BlueZName.propertiesChanged):
            return change(signal)
        default: return []
        }
    }

    /// The properties of an interface of an object; nil when the object does not have it.
    package func properties(_ path: String, _ interface: String) -> [String: BusValue]? {
        objects[path]?[interface]
    }

    /// The number of objects.
    var count: Int { objects.count }

    /// The paths of the objects.
    var paths: Dictionary<String, [String: [String: BusValue]]>.Keys { objects.keys }

    /// The adapters, sorted by path.
    package var adapters: [BlueZAdapter] { adaptersByPath.values.sorted { $0.path < $1.path } }

    /// The devices, sorted by path.
    package var devices: [BlueZDevice] { devicesByPath.values.sorted { $0.path < $1.path } }

    /// The paths of the objects below a device that have an interface, in alphabetical order.
    package func attributePaths(with interface: String, of device: String) -> [String] {
        (attributes[device] ?? []).filter { objects[$0]?[interface] != nil }.sorted()
    }

    /// The adapter at a path.
    package func adapter(at path: String) -> BlueZAdapter? { adaptersByPath[path] }

    /// The device at a path; nil without an address and an adapter.
    package func device(at path: String) -> BlueZDevice? { devicesByPath[path] }

    private mutating func add(_ interfaces: BusValue, at path: String) -> [Change] {
        guard objects[path] != nil || objects.count < Self.objectLimit else {
            ignoredCount += 1
            return []
        }
        var changes: [Change] = []
        for (interface, properties) in interfaces.entries ?? [:] {
            guard BlueZName.usedInterfaces.contains(interface) else { continue }
            objects[path, default: [:]][interface] = properties.entries ?? [:]
            read(interface, of: path)
            if let device = Self.devicePath(of: path) {
                attributes[device, default: []].insert(path)
            }
            changes.append(.added(path: path, interface: interface))
        }
        return changes
    }

    private mutating func remove(_ interfaces: [BusValue], at path: String) -> [Change] {
        var changes: [Change] = []
        for case let interface? in interfaces.map(\.string) {
            guard objects[path]?.removeValue(forKey: interface) != nil else { continue }
            read(interface, of: path)
            changes.append(.removed(path: path, interface: interface))
        }
        if objects[path]?.isEmpty == true { forget(path) }
        return changes
    }

    private mutating func forget(_ path: String) {
        objects[path] = nil
        guard let device = Self.devicePath(of: path) else { return }
        attributes[device]?.remove(path)
        if attributes[device]?.isEmpty == true { attributes[device] = nil }
    }

    /// Reads a device or adapter as a whole.
    private mutating func read(_ interface: String, of path: String) {
        let properties = objects[path]?[interface]
        switch interface {
        case BlueZName.device:
            deviceReadCount += 1
            devicesByPath[path] = properties.flatMap { BlueZDevice(path: path, properties: $0) }
        case BlueZName.adapter:
            adaptersByPath[path] = properties.map { BlueZAdapter(path: path, properties: $0) }
        default: break
        }
    }

    /// Reads what has changed of a device or adapter.
    private mutating func reread(
        _ interface: String, of path: String, changed names: some Sequence<String>
    ) {
        guard interface == BlueZName.device else { return read(interface, of: path) }
        guard let index = devicesByPath.index(forKey: path),
            let properties = objects[path]?[interface],
            devicesByPath.values[index].update(names, from: properties)
        else { return read(interface, of: path) }
    }

    /// The path of the device that an object below it belongs to:
    /// `/org/bluez/hci0/dev_D0_11_22_33_44_55` for its services and everything below them.
    private static func devicePath(of path: String) -> String? {
        var slashes = 0
        for (index, byte) in zip(path.utf8.indices, path.utf8) where byte == UInt8(ascii: "/") {
            slashes += 1
            if slashes == 5 { return String(path[..<index]) }
        }
        return nil
    }

    /// Sets properties of an object; nil when there is no such interface.
    mutating func set(
        _ properties: [String: BusValue], of interface: String, at path: String
    ) -> Change? {
        guard objects[path]?[interface] != nil else { return nil }
        for (name, value) in properties { objects[path]?[interface]?[name] = value }
        return .changed(path: path, interface: interface, properties: properties, gone: [])
    }

    private mutating func change(_ signal: BusSignal) -> [Change] {
        guard signal.body.count == 3, let interface = signal.body[0].string,
            objects[signal.path]?[interface] != nil
        else { return [] }
        let properties = signal.body[1].entries ?? [:]
        let gone = (signal.body[2].elements ?? []).compactMap(\.string)
        _ = set(properties, of: interface, at: signal.path)
        for name in gone { objects[signal.path]?[interface]?[name] = nil }
        reread(interface, of: signal.path, changed: properties.keys.map(\.self) + gone)
        return [
            .changed(path: signal.path, interface: interface, properties: properties, gone: gone)
        ]
    }
}

extension ManagedObjects {
    /// Whether any program has subscribed to a characteristic of a device, or acquired it, which
    /// bluetoothd does not show as `Notifying`.
    package func isNotifying(under devicePath: String) -> Bool {
        attributePaths(with: BlueZName.gattCharacteristic, of: devicePath).contains { path in
            let properties = properties(path, BlueZName.gattCharacteristic) ?? [:]
            return ["Notifying", "NotifyAcquired"].contains { properties[$0]?.boolean == true }
        }
    }
}
