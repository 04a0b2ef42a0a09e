import DBus

/// The answer to `Introspect`: interfaces, methods, properties and children.
enum FakeIntrospection {
    private static let header = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    /// The methods of each interface: name, input signature, output signature.
    private static let methods: [String: [(String, String, String)]] = [
        FakeInterface.introspectable: [("Introspect", "", "s")],
        FakeInterface.properties: [
            ("Get", "ss", "v"), ("Set", "ssv", ""), ("GetAll", "s", "a{sv}"),
        ],
        FakeInterface.objectManager: [("GetManagedObjects", "", "a{oa{sa{sv}}}")],
        FakeInterface.agentManager: [
            ("RegisterAgent", "os", ""), ("UnregisterAgent", "o", ""),
            ("RequestDefaultAgent", "o", ""),
        ],
        FakeInterface.profileManager: [
            ("RegisterProfile", "osa{sv}", ""), ("UnregisterProfile", "o", ""),
        ],
        FakeInterface.gattManager: [
            ("RegisterApplication", "oa{sv}", ""), ("UnregisterApplication", "o", ""),
        ],
        FakeInterface.advertisingManager: [
            ("RegisterAdvertisement", "oa{sv}", ""), ("UnregisterAdvertisement", "o", ""),
        ],
        FakeInterface.adapter: [
            ("StartDiscovery", "", ""), ("StopDiscovery", "", ""), ("RemoveDevice", "o", ""),
            ("SetDiscoveryFilter", "a{sv}", ""), ("GetDiscoveryFilters", "", "as"),
        ],
        FakeInterface.device: [
            ("Connect", "", ""), ("Disconnect", "", ""), ("Pair", "", ""),
            ("CancelPairing", "", ""),
        ],
        FakeInterface.characteristic: [
            ("ReadValue", "a{sv}", "ay"), ("WriteValue", "aya{sv}", ""), ("StartNotify", "", ""),
            ("StopNotify", "", ""),
        ],
        FakeInterface.descriptor: [("ReadValue", "a{sv}", "ay"), ("WriteValue", "aya{sv}", "")],
    ]

    static func describe(_ path: String, in tree: FakeManagedObjects) -> String {
        var interfaces = tree.objects[path] ?? [FakeInterface.introspectable: [:]]
        if path == "/" { interfaces[FakeInterface.objectManager] = [:] }
        let parts = interfaces.sorted { $0.key < $1.key }.map { interface($0.key, $0.value) }
        let nodes = children(of: path, in: tree).map { "<node name=\"\($0)\"/>" }
        return header + "<node>" + (parts + nodes).joined() + "</node>"
    }

    private static func interface(
        _ name: String, _ properties: FakeManagedObjects.Properties
    ) -> String {
        let methods = (methods[name] ?? []).map { name, arguments, results in
            "<method name=\"\(name)\">"
                + (arguments.isEmpty ? [] : split(arguments)).map { argument($0, "in") }.joined()
                + (results.isEmpty ? [] : split(results)).map { argument($0, "out") }.joined()
                + "</method>"
        }
        let listed = properties.sorted { $0.key < $1.key }.map {
            "<property name=\"\($0.key)\" type=\"\($0.value.signature)\" access=\"read\"/>"
        }
        return "<interface name=\"\(name)\">\((methods + listed).joined())</interface>"
    }

    private static func argument(_ type: String, _ direction: String) -> String {
        "<arg type=\"\(type)\" direction=\"\(direction)\"/>"
    }

    /// Splits a signature into its types; supports letters, and arrays with braces.
    private static func split(_ signature: String) -> [String] {
        var types: [String] = []
        var depth = 0
        for letter in signature {
            let continues = depth > 0 || types.last?.last == "a"
            if continues {
                types[types.count - 1].append(letter)
            } else {
                types.append("\(letter)")
            }
            if letter == "{" { depth += 1 }
            if letter == "}" { depth -= 1 }
        }
        return types
    }

    private static func children(of path: String, in tree: FakeManagedObjects) -> [String] {
        let prefix = path == "/" ? "/" : "\(path)/"
        let names = tree.objects.keys.filter { $0.hasPrefix(prefix) }.compactMap {
            $0.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
        }
        return Set(names).sorted()
    }
}
