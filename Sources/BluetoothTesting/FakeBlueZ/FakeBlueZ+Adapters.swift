import DBus

extension FakeBlueZ {
    func addAdapter(_ adapter: FakeAdapter) {
        adapters[adapter.path] = FakeAdapterState(description: adapter)
        emit(tree.add(adapter.path, FakeInterface.adapter, Self.properties(of: adapter)))
        if adapter.roles.contains("peripheral") {
            let manager: FakeManagedObjects.Properties = [
                "ActiveInstances": .byte(0),
                "SupportedInstances": .byte(UInt8(Self.advertisementLimit)),
                "SupportedIncludes": .strings(["tx-power", "appearance", "local-name"]),
            ]
            emit(tree.add(adapter.path, FakeInterface.gattManager, [:]))
            emit(tree.add(adapter.path, FakeInterface.advertisingManager, manager))
        }
        for (address, properties) in stored[adapter.address] ?? [:] {
            restore(address, on: adapter.path, properties)
        }
    }

    private static func properties(of adapter: FakeAdapter) -> FakeManagedObjects.Properties {
        [
            "Address": .string(adapter.address), "AddressType": .string("public"),
            "Name": .string("box"), "Alias": .string("box"), "Class": .uint32(0x6c_010c),
            "Powered": .boolean(adapter.isPowered), "Discoverable": .boolean(false),
            "DiscoverableTimeout": .uint32(180), "Pairable": .boolean(false),
            "PairableTimeout": .uint32(0), "Discovering": .boolean(false),
            "UUIDs": .strings([FakeUUID.full("1800"), FakeUUID.full("1801")]),
            "Modalias": .string("usb:v1D6Bp0246d0542"), "Roles": .strings(adapter.roles),
        ]
    }

    func isPowered(_ adapter: String) -> Bool {
        tree.properties(adapter, FakeInterface.adapter)?["Powered"]?.boolean == true
    }

    func answerAdapter(_ request: BusRequest, _ reply: BusReply) {
        switch request.member {
        case "StartDiscovery": startDiscovery(request, reply)
        case "StopDiscovery": stopDiscovery(request, reply)
        case "SetDiscoveryFilter":
            guard let filter = FakeDiscoveryFilter(request.body.first) else {
                return reply.fail(.invalidArguments)
            }
            adapters[request.path]?.sessions[request.sender, default: .init()].filter = filter
            reply.return()
            // Devices that the new filter accepts were advertising before.
            receiveAdvertisements(on: request.path)
        case "GetDiscoveryFilters": reply.return([.strings(FakeDiscoveryFilter.keys)])
        case "RemoveDevice":
            guard let path = request.body.first?.string, devices[path]?.adapter == request.path
            else { return reply.fail(.doesNotExist) }
            tearDownLink(path)
            removeDevice(path)
            reply.return()
        default: failUnknown(request, reply)
        }
    }

    private func startDiscovery(_ request: BusRequest, _ reply: BusReply) {
        guard isPowered(request.path) else { return reply.fail(.notReady) }
        guard adapters[request.path]?.sessions[request.sender]?.isActive != true else {
            return reply.fail(.inProgress)
        }
        adapters[request.path]?.sessions[request.sender, default: .init()].isActive = true
        adapters[request.path]?.isStalled = false
        emit(tree.set(request.path, FakeInterface.adapter, ["Discovering": .boolean(true)]))
        reply.return()
        receiveAdvertisements(on: request.path)
    }

    private func stopDiscovery(_ request: BusRequest, _ reply: BusReply) {
        guard isPowered(request.path) else { return reply.fail(.notReady) }
        guard adapters[request.path]?.sessions[request.sender]?.isActive == true else {
            return reply.fail(.failed("No discovery started"))
        }
        adapters[request.path]?.sessions[request.sender]?.isActive = false
        endUnusedDiscovery(request.path)
        reply.return()
    }

    /// Ends discovery on an adapter after its last session: signal strengths become invalid, and
    /// temporary devices start to expire.
    private func endUnusedDiscovery(_ adapter: String) {
        guard adapters[adapter]?.isDiscovering == false,
            tree.properties(adapter, FakeInterface.adapter)?["Discovering"]?.boolean == true
        else { return }
        for (path, device) in devices where device.adapter == adapter {
            emit(tree.invalidate(path, FakeInterface.device, "RSSI"))
            expireLater(path)
        }
        emit(tree.set(adapter, FakeInterface.adapter, ["Discovering": .boolean(false)]))
    }

    /// Removes the sessions and subscriptions of a connection that has left the bus.
    func clientLeft(_ sender: String) {
        for path in adapters.keys {
            adapters[path]?.sessions[sender] = nil
            endUnusedDiscovery(path)
        }
        for path in devices.keys { stopNotifying(path, sender) }
        agents.removeAll { $0.sender == sender }
        removePeripherals(of: sender)
        notifyWaiters()
    }

    /// Powers an adapter on or off; powering off ends its discovery and links.
    func setPower(_ adapter: String, _ isOn: Bool) {
        guard adapters[adapter] != nil, isPowered(adapter) != isOn else { return }
        if !isOn {
            for (path, device) in devices where device.adapter == adapter {
                failConnect(path, "le-connection-abort-by-local")
                tearDownLink(path)
            }
            adapters[adapter]?.sessions = [:]
            endUnusedDiscovery(adapter)
        }
        emit(tree.set(adapter, FakeInterface.adapter, ["Powered": .boolean(isOn)]))
    }
}

extension FakeBlueZ {
    /// Powers an adapter on or off, as another program would.
    public func setPowered(_ isOn: Bool, adapter name: String = "hci0") {
        setPower("/org/bluez/\(name)", isOn)
    }

    /// Makes setting `Powered` fail, as rfkill does; nil allows it again.
    public func refusePower(_ fault: FakeFault? = .blocked, adapter name: String = "hci0") {
        adapters["/org/bluez/\(name)"]?.powerFault = fault
    }

    /// Unplugs an adapter: removes it with its devices and links.
    public func unplug(_ name: String = "hci0") {
        let path = "/org/bluez/\(name)"
        plugged.removeAll { $0.name == name }
        for (device, known) in devices where known.adapter == path {
            failConnect(device, "le-connection-abort-by-local")
            tearDownLink(device)
            store(device)
            removeDevice(device)
        }
        adapters[path] = nil
        peripherals.applications.removeAll { $0.adapter == path }
        peripherals.advertisements.removeAll { $0.adapter == path }
        emit(tree.remove(path))
    }

    /// Plugs in an adapter, which may get a new name.
    public func plug(_ adapter: FakeAdapter = FakeAdapter()) {
        plugged.append(adapter)
        if bus != nil { addAdapter(adapter) }
    }

    /// Makes bluetoothd lose the discovery of an adapter, while every session still exists.
    public func stallDiscovery(adapter name: String = "hci0") {
        let path = "/org/bluez/\(name)"
        adapters[path]?.isStalled = true
        emit(tree.set(path, FakeInterface.adapter, ["Discovering": .boolean(false)]))
    }

    /// Whether any program scans with an adapter.
    public func isDiscovering(adapter name: String = "hci0") -> Bool {
        adapters["/org/bluez/\(name)"]?.isDiscovering == true
    }

    /// The maximum number of simultaneous connection attempts so far.
    public func maximumSimultaneousConnects(adapter name: String = "hci0") -> Int {
        adapters["/org/bluez/\(name)"]?.maximumSimultaneousConnects ?? 0
    }
}
