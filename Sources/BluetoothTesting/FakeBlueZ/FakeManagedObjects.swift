import DBus

/// The objects exported on the bus; every change returns the signal to emit.
struct FakeManagedObjects {
    typealias Properties = [String: BusValue]

    /// By path, then by interface.
    private(set) var objects: [String: [String: Properties]] = [:]

    func exists(_ path: String) -> Bool { objects[path] != nil }

    func properties(_ path: String, _ interface: String) -> Properties? {
        objects[path]?[interface]
    }

    /// The paths of an object and all objects below it, the deepest first.
    func paths(from path: String) -> [String] {
        objects.keys.filter { $0 == path || $0.hasPrefix("\(path)/") }
            .sorted { $0.utf8.count == $1.utf8.count ? $0 < $1 : $0.utf8.count > $1.utf8.count }
    }

    /// The answer to `GetManagedObjects`.
    var managedObjects: BusValue {
        let entries = objects.map { path, interfaces in
            (BusValue.objectPath(path), Self.value(of: interfaces))
        }
        return .dictionary(
            Dictionary(entries) { first, _ in first }, key: "o", value: "a{sa{sv}}")
    }

    mutating func add(
        _ path: String, _ interface: String, _ properties: Properties
    ) -> BusSignal {
        // GDBus adds and lists these interfaces for every object.
        let common = [FakeInterface.introspectable: Properties(), FakeInterface.properties: [:]]
        var added = objects[path] == nil ? common : [:]
        added[interface] = properties
        objects[path, default: [:]].merge(added) { _, new in new }
        return BusSignal(
            "/", FakeInterface.objectManager, "InterfacesAdded",
            [.objectPath(path), Self.value(of: added)])
    }

    mutating func remove(_ path: String) -> BusSignal? {
        objects.removeValue(forKey: path).map { Self.removal(path, $0.keys.sorted()) }
    }

    mutating func remove(_ path: String, _ interface: String) -> BusSignal? {
        guard objects[path]?.removeValue(forKey: interface) != nil else { return nil }
        return Self.removal(path, [interface])
    }

    mutating func removeAll() { objects = [:] }

    /// Sets properties; returns nil when the object does not exist or nothing has changed.
    mutating func set(
        _ path: String, _ interface: String, _ properties: Properties, evenIfEqual: Bool = false
    ) -> BusSignal? {
        guard let old = objects[path]?[interface] else { return nil }
        let changed = evenIfEqual ? properties : properties.filter { old[$0.key] != $0.value }
        guard !changed.isEmpty else { return nil }
        objects[path]?[interface]?.merge(changed) { _, new in new }
        return Self.change(path, interface, changed, [])
    }

    /// Removes a property, which the signal lists as invalidated.
    mutating func invalidate(_ path: String, _ interface: String, _ name: String) -> BusSignal? {
        guard objects[path]?[interface]?.removeValue(forKey: name) != nil else { return nil }
        return Self.change(path, interface, [:], [name])
    }

    private static func change(
        _ path: String, _ interface: String, _ changed: Properties, _ invalidated: [String]
    ) -> BusSignal {
        BusSignal(
            path, FakeInterface.properties, "PropertiesChanged",
            [
                .string(interface), .properties(changed),
                .array(invalidated.map { .string($0) }, of: "s"),
            ])
    }

    private static func removal(_ path: String, _ interfaces: [String]) -> BusSignal {
        BusSignal(
            "/", FakeInterface.objectManager, "InterfacesRemoved",
            [.objectPath(path), .array(interfaces.map { .string($0) }, of: "s")])
    }

    private static func value(of interfaces: [String: Properties]) -> BusValue {
        let entries = interfaces.map { (BusValue.string($0), BusValue.properties($1)) }
        return .dictionary(Dictionary(entries) { first, _ in first }, key: "s", value: "a{sv}")
    }
}

extension BusValue {
    static func strings(_ strings: [String]) -> BusValue {
        .array(strings.map { .string($0) }, of: "s")
    }
}
