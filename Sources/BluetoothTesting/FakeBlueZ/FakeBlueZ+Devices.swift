import DBus

/// A device that bluetoothd knows.
struct FakeKnownDevice {
    let address: String
    let adapter: String
    /// Seen, but never connected.
    var isTemporary = true
    var pending: FakePendingConnect?
    var disconnects: [BusReply] = []
    /// The attributes of its objects, by path.
    var nodes: [String: FakeNode] = [:]
    /// The subscribed connections of each characteristic.
    var notifiers: [String: Set<String>] = [:]
    /// The sockets of acquired notifications, by characteristic.
    var acquired: [String: FakeAcquired] = [:]
    var reads: [FakeRead] = []
    /// The pairing that waits for an agent.
    var pairing: FakePairing?
    /// Calls that a silent link does not answer.
    var unanswered: [BusReply] = []
}

/// A pending `Connect` or `Pair`.
struct FakePendingConnect {
    let reply: BusReply?
    let pairs: Bool
    /// The program that called.
    var sender: String?
}

extension FakeBlueZ {
    /// The properties that persist after the device object is removed.
    private static let storedProperties = [
        "Name", "Alias", "AddressType", "Appearance", "Paired", "Bonded", "Trusted", "Blocked",
        "UUIDs",
    ]

    static func path(of address: String, on adapter: String) -> String {
        "\(adapter)/dev_\(address.replacing(":", with: "_"))"
    }

    /// The objects of a device, one for each adapter that knows it.
    func paths(of address: String) -> [String] {
        adapters.keys.map { Self.path(of: address, on: $0) }.filter { devices[$0] != nil }
    }

    func description(_ path: String) -> FakeDevice? {
        devices[path].flatMap { descriptions[$0.address] }
    }

    /// An adapter receives the advertisements of all devices.
    func receiveAdvertisements(on adapter: String) {
        for address in advertising.keys.sorted() { receiveAdvertisement(address, on: adapter) }
    }

    /// An adapter receives the advertisement of a device.
    func receiveAdvertisement(_ address: String, on adapter: String) {
        guard let receivers = advertising[address], receivers?.contains(adapter) ?? true,
            let device = descriptions[address], isPowered(adapter),
            adapters[adapter]?.includes(device) == true
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

    /// Removes a temporary device after its lifetime.
    func expireLater(_ path: String) {
        guard let device = devices[path], device.isTemporary, !isConnected(path) else { return }
        after(Self.temporarySeconds, .expiry(path)) { $0.removeDevice(path) }
    }

    /// Removes the objects of a device, the deepest first.
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
    /// Makes a device advertise, or changes its advertisement; scanning adapters receive it
    /// immediately.
    ///
    /// `adapters` are the names of the adapters in range; nil is all.
    public func appear(_ device: FakeDevice, on adapters: [String]? = nil) {
        descriptions[device.address] = device
        advertising[device.address] = .some(adapters.map { Set($0.map { "/org/bluez/\($0)" }) })
        for adapter in self.adapters.keys.sorted() {
            receiveAdvertisement(device.address, on: adapter)
            let path = Self.path(of: device.address, on: adapter)
            if let pending = devices[path]?.pending, device.behaviour.answersConnect {
                continueConnecting(path, pending)
            }
        }
        notifyWaiters()
    }

    /// Stops the advertising of a device; its link stays until it is dropped.
    public func disappear(_ address: String) {
        advertising[address] = nil
        for (path, device) in devices where device.address == address { expireLater(path) }
        notifyWaiters()
    }

    /// Changes the signal strength of a device; a change of less than 8 dB is not reported.
    public func advertise(_ address: String, rssi: Int16) {
        guard let old = descriptions[address]?.rssi, abs(Int(old) - Int(rssi)) >= 8 else { return }
        descriptions[address]?.rssi = rssi
        for adapter in adapters.keys.sorted() { receiveAdvertisement(address, on: adapter) }
    }

    /// Changes the behaviour of a device.
    public func changeBehaviour(
        _ address: String, _ change: @Sendable (inout FakeBehaviour) -> Void
    ) {
        guard var device = descriptions[address] else { return }
        change(&device.behaviour)
        descriptions[address] = device
    }

    /// The object path of a device on an adapter, whether it exists or not.
    public nonisolated static func devicePath(
        _ address: String, adapter name: String = "hci0"
    ) -> String {
        path(of: address, on: "/org/bluez/\(name)")
    }

    /// Whether a device has an object.
    public func knows(_ address: String, adapter name: String = "hci0") -> Bool {
        devices[Self.devicePath(address, adapter: name)] != nil
    }
}
