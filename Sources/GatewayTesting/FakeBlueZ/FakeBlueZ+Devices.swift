import DBus

/// A device that bluetoothd knows.
struct FakeKnownDevice {
    let address: String
    let adapter: String
    /// Heard, but never connected.
    var isTemporary = true
    var pending: FakePendingConnect?
    var disconnects: [BusReply] = []
    /// What its objects below stand for.
    var nodes: [String: FakeNode] = [:]
    /// Who wants the notifications of a characteristic.
    var notifiers: [String: Set<String>] = [:]
    var reads: [FakeRead] = []
    /// Calls that a silent link leaves without an answer.
    var unanswered: [BusReply] = []
}

/// A `Connect` or `Pair` without an answer.
struct FakePendingConnect {
    let reply: BusReply?
    let pairs: Bool
}

extension FakeBlueZ {
    /// What outlives the device's object.
    private static let storedProperties = [
        "Name", "Alias", "AddressType", "Appearance", "Paired", "Bonded", "Trusted", "Blocked",
        "UUIDs",
    ]

    static func path(of address: String, on adapter: String) -> String {
        "\(adapter)/dev_\(address.replacing(":", with: "_"))"
    }

    func description(_ path: String) -> FakeDevice? {
        devices[path].flatMap { descriptions[$0.address] }
    }

    /// Every adapter that scans hears what is on the air.
    func hearAll(on adapter: String) {
        for address in air.keys.sorted() { hear(address, on: adapter) }
    }

    /// An advertisement comes in.
    func hear(_ address: String, on adapter: String) {
        guard let hearers = air[address], hearers?.contains(adapter) ?? true,
            let device = descriptions[address], isPowered(adapter),
            adapters[adapter]?.wants(device) == true
        else { return }
        let path = Self.path(of: address, on: adapter)
        guard devices[path] != nil else { return add(device, path, on: adapter) }
        timers.cancel(.expiry(path))
        guard !isConnected(path) else { return }
        emit(tree.set(path, FakeInterface.device, Self.advertised(by: device)))
    }

    private func add(_ device: FakeDevice, _ path: String, on adapter: String) {
        devices[path] = FakeKnownDevice(address: device.address, adapter: adapter)
        var properties = Self.properties(ofDevice: device.address, on: adapter)
        properties["AddressType"] = .string(device.addressType)
        properties.merge(Self.advertised(by: device)) { _, new in new }
        emit(tree.add(path, FakeInterface.device, properties))
    }

    private static func properties(
        ofDevice address: String, on adapter: String
    ) -> FakeManagedObjects.Properties {
        [
            "Address": .string(address), "Adapter": .objectPath(adapter),
            "Alias": .string(address.replacing(":", with: "-")),
            "Paired": .boolean(false), "Bonded": .boolean(false), "Trusted": .boolean(false),
            "Blocked": .boolean(false), "LegacyPairing": .boolean(false),
            "Connected": .boolean(false), "ServicesResolved": .boolean(false),
            "UUIDs": .strings([]),
        ]
    }

    private static func advertised(by device: FakeDevice) -> FakeManagedObjects.Properties {
        var properties: FakeManagedObjects.Properties = [
            "RSSI": .int16(device.rssi),
            "UUIDs": .strings(device.advertisedUUIDs.map(FakeUUID.full).sorted()),
        ]
        properties["Name"] = device.name.map { .string($0) }
        properties["Alias"] = device.name.map { .string($0) }
        properties["Appearance"] = device.appearance.map { .uint16($0) }
        if !device.manufacturerData.isEmpty {
            let entries = device.manufacturerData.map {
                (BusValue.uint16($0), BusValue.variant(.bytes($1)))
            }
            properties["ManufacturerData"] = .dictionary(
                Dictionary(entries) { first, _ in first }, key: "q", value: "v")
        }
        if !device.serviceData.isEmpty {
            let entries = device.serviceData.map { (FakeUUID.full($0), BusValue.bytes($1)) }
            properties["ServiceData"] = .properties(Dictionary(entries) { first, _ in first })
        }
        return properties
    }

    /// Lets a device go after a while if it was only heard.
    func expireLater(_ path: String) {
        guard let device = devices[path], device.isTemporary, !isConnected(path) else { return }
        after(Self.temporarySeconds, .expiry(path)) { $0.removeDevice(path) }
    }

    /// Takes a device's objects away, those below it first.
    func removeDevice(_ path: String) {
        timers.cancelAll(on: path)
        failConnect(path, "br-connection-canceled")
        devices[path] = nil
        for object in tree.paths(from: path) { emit(tree.remove(object)) }
    }

    func store(_ path: String) {
        guard let device = devices[path], let adapter = adapters[device.adapter],
            !device.isTemporary, let properties = tree.properties(path, FakeInterface.device)
        else { return }
        stored[adapter.description.address, default: [:]][device.address] = properties.filter {
            Self.storedProperties.contains($0.key)
        }
    }

    func restore(
        _ address: String, on adapter: String, _ properties: FakeManagedObjects.Properties
    ) {
        let path = Self.path(of: address, on: adapter)
        var device = FakeKnownDevice(address: address, adapter: adapter)
        device.isTemporary = false
        devices[path] = device
        let all = Self.properties(ofDevice: address, on: adapter)
            .merging(properties) { _, new in new }
        emit(tree.add(path, FakeInterface.device, all))
    }
}

extension FakeBlueZ {
    /// Puts a device on the air, or changes what it says; adapters that scan hear it at once.
    ///
    /// `adapters` are the names of those in its reach; nil is all.
    public func appear(_ device: FakeDevice, on adapters: [String]? = nil) {
        descriptions[device.address] = device
        air[device.address] = .some(adapters.map { Set($0.map { "/org/bluez/\($0)" }) })
        for adapter in self.adapters.keys.sorted() {
            hear(device.address, on: adapter)
            let path = Self.path(of: device.address, on: adapter)
            if let pending = devices[path]?.pending, device.behaviour.answersConnect {
                goOnConnecting(path, pending)
            }
        }
        changed()
    }

    /// Takes a device off the air; a link that it has stands until it is dropped.
    public func disappear(_ address: String) {
        air[address] = nil
        for (path, device) in devices where device.address == address { expireLater(path) }
        changed()
    }

    /// Lets a device be heard with another strength; a change of less than 8 dB is not told.
    public func advertise(_ address: String, rssi: Int16) {
        guard let old = descriptions[address]?.rssi, abs(Int(old) - Int(rssi)) >= 8 else { return }
        descriptions[address]?.rssi = rssi
        for adapter in adapters.keys.sorted() { hear(address, on: adapter) }
    }

    /// Changes how a device behaves from now on.
    public func changeBehaviour(
        _ address: String, _ change: @Sendable (inout FakeBehaviour) -> Void
    ) {
        guard var device = descriptions[address] else { return }
        change(&device.behaviour)
        descriptions[address] = device
    }

    /// The path of a device on an adapter, whether it is known or not.
    public nonisolated static func devicePath(
        _ address: String, adapter name: String = "hci0"
    ) -> String {
        path(of: address, on: "/org/bluez/\(name)")
    }

    /// Whether a device is known, that is, has an object.
    public func knows(_ address: String, adapter name: String = "hci0") -> Bool {
        devices[Self.devicePath(address, adapter: name)] != nil
    }
}
