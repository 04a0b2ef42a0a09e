import DBus

/// A copy of bluetoothd's objects: paths with their interfaces and properties.
///
/// Signals keep it up to date, so no property has to be queried.
struct ManagedObjects: Sendable {
    /// A change made by a signal.
    enum Change: Hashable, Sendable {
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

    private typealias Properties = [String: BusValue]
    private var objects: [String: [String: Properties]] = [:]

    /// Makes an empty tree.
    init() {}

    /// Makes the tree from a `GetManagedObjects` reply; malformed entries are left out.
    init(managed: [BusValue]) {
        guard case .dictionary(let objects, _, _)? = managed.first else { return }
        for (path, interfaces) in objects {
            guard let path = path.string else { continue }
            _ = add(interfaces, at: path)
        }
    }

    /// Applies a signal of bluetoothd and returns the changes.
    mutating func apply(_ signal: BusSignal) -> [Change] {
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
    func properties(_ path: String, _ interface: String) -> [String: BusValue]? {
        objects[path]?[interface]
    }

    /// The paths of the objects that have an interface, in alphabetical order.
    func paths(with interface: String, under parent: String? = nil) -> [String] {
        objects.compactMap { path, interfaces in
            guard interfaces[interface] != nil else { return nil }
            if let parent, !path.hasPrefix("\(parent)/") { return nil }
            return path
        }.sorted()
    }

    private mutating func add(_ interfaces: BusValue, at path: String) -> [Change] {
        guard objects[path] != nil || objects.count < Self.objectLimit else { return [] }
        var changes: [Change] = []
        for (interface, properties) in interfaces.entries ?? [:] {
            guard BlueZName.usedInterfaces.contains(interface) else { continue }
            objects[path, default: [:]][interface] = properties.entries ?? [:]
            changes.append(.added(path: path, interface: interface))
        }
        return changes
    }

    private mutating func remove(_ interfaces: [BusValue], at path: String) -> [Change] {
        var changes: [Change] = []
        for case let interface? in interfaces.map(\.string) {
            guard objects[path]?.removeValue(forKey: interface) != nil else { continue }
            changes.append(.removed(path: path, interface: interface))
        }
        if objects[path]?.isEmpty == true { objects[path] = nil }
        return changes
    }

    private mutating func change(_ signal: BusSignal) -> [Change] {
        guard signal.body.count == 3, let interface = signal.body[0].string,
            objects[signal.path]?[interface] != nil
        else { return [] }
        let properties = signal.body[1].entries ?? [:]
        let gone = (signal.body[2].elements ?? []).compactMap(\.string)
        for (name, value) in properties { objects[signal.path]?[interface]?[name] = value }
        for name in gone { objects[signal.path]?[interface]?[name] = nil }
        return [
            .changed(path: signal.path, interface: interface, properties: properties, gone: gone)
        ]
    }
}
