import DBus

extension FakeBlueZ {
    func answerCharacteristic(_ request: BusRequest, _ reply: BusReply) {
        guard let device = device(ofObject: request.path),
            case .characteristic(let characteristic) = node(request.path)
        else { return failUnknown(request, reply) }
        switch request.member {
        case "ReadValue":
            guard characteristic.flags.contains("read") else {
                return reply.fail(
                    isConnected(device) ? .notPermitted("Read not permitted") : .notConnected)
            }
            read(request.path, characteristic.value, of: device, reply)
        case "WriteValue": write(request, characteristic, of: device, reply)
        case "StartNotify": startNotify(request, characteristic, of: device, reply)
        case "StopNotify": stopNotify(request, of: device, reply)
        case "AcquireNotify": acquireNotify(request, characteristic, of: device, reply)
        case "AcquireWrite": reply.fail(.notSupported)
        default: failUnknown(request, reply)
        }
    }

    func answerDescriptor(_ request: BusRequest, _ reply: BusReply) {
        guard let device = device(ofObject: request.path),
            case .descriptor(let descriptor) = node(request.path)
        else { return failUnknown(request, reply) }
        switch request.member {
        case "ReadValue": read(request.path, descriptor.value, of: device, reply)
        case "WriteValue": reply.fail(.notPermitted("Write not permitted"))
        default: failUnknown(request, reply)
        }
    }

    /// Whether a device can answer; otherwise the call fails, or waits for the end of a silent
    /// link.
    private func isReachable(_ device: String, _ reply: BusReply) -> Bool {
        guard isConnected(device) else {
            reply.fail(.notConnected)
            return false
        }
        guard description(device)?.behaviour.isSilent == true else { return true }
        devices[device]?.unanswered.append(reply)
        return false
    }

    private func read(_ path: String, _ value: [UInt8], of device: String, _ reply: BusReply) {
        guard isReachable(device, reply) else { return }
        // Stored with the device, because the link may end meanwhile.
        devices[device]?.reads.append(FakeRead(path: path, value: value, reply: reply))
        after(description(device)?.behaviour.readSeconds ?? 0, .read(path)) {
            $0.finishReads(of: path, device)
        }
    }

    /// Emits the value that was read, then answers; reads of the same value share the answer.
    private func finishReads(of path: String, _ device: String) {
        let finished = devices[device]?.reads.filter { $0.path == path } ?? []
        devices[device]?.reads.removeAll { $0.path == path }
        guard let value = finished.last?.value else { return }
        for interface in [FakeInterface.characteristic, FakeInterface.descriptor] {
            emit(tree.set(path, interface, ["Value": .bytes(value)], evenIfEqual: true))
        }
        for read in finished { read.reply.return([.bytes(value)]) }
    }

    private func write(
        _ request: BusRequest, _ characteristic: FakeCharacteristic, of device: String,
        _ reply: BusReply
    ) {
        guard let value = request.body.first?.bytes, request.body.count == 2 else {
            return reply.fail(.invalidArguments)
        }
        guard
            characteristic.flags.contains("write")
                || characteristic.flags.contains("write-without-response")
        else { return reply.fail(isConnected(device) ? .notSupported : .notConnected) }
        guard isReachable(device, reply), let address = devices[device]?.address else { return }
        writes.append(
            FakeWrite(address: address, uuid: FakeUUID.full(characteristic.uuid), value: value))
        if let code = characteristic.writeRule(value) {
            reply.fail(.attribute(code))
        } else {
            reply.return()
        }
    }

    private func startNotify(
        _ request: BusRequest, _ characteristic: FakeCharacteristic, of device: String,
        _ reply: BusReply
    ) {
        guard characteristic.canNotify else { return reply.fail(.notSupported) }
        // Without a link the subscription is stored for the next one.
        guard devices[device]?.acquired[request.path] == nil else {
            return reply.fail(.notPermitted("Notify acquired"))
        }
        let isReady = isConnected(device)
        if isReady, description(device)?.behaviour.isSilent == true {
            devices[device]?.unanswered.append(reply)
            return
        }
        if isReady, let security = description(device)?.behaviour.security, !isPaired(device) {
            return secure(device, security, reply) {
                $0.startNotify(request, characteristic, of: device, reply)
            }
        }
        devices[device]?.notifiers[request.path, default: []].insert(request.sender)
        if isReady { setNotifying(request.path, true) }
        reply.return()
    }

    private func stopNotify(_ request: BusRequest, of device: String, _ reply: BusReply) {
        if releaseNotify(request.path) { return reply.return() }
        guard
            devices[device]?.notifiers[request.path]?.remove(request.sender) != nil
        else { return reply.fail(.failed("No notify session started")) }
        if devices[device]?.notifiers[request.path]?.isEmpty == true {
            setNotifying(request.path, false)
        }
        reply.return()
    }
}

/// A pending read.
struct FakeRead {
    let path: String
    let value: [UInt8]
    let reply: BusReply
}

extension FakeBlueZ {
    /// The path of a characteristic of a device that was connected; nil when it does not exist.
    public func characteristicPath(
        _ uuid: String, of address: String, adapter name: String = "hci0"
    ) -> String? {
        let device = Self.devicePath(address, adapter: name)
        let wanted = BusValue.string(FakeUUID.full(uuid))
        return devices[device]?.nodes.keys.filter { path in
            tree.properties(path, FakeInterface.characteristic)?["UUID"] == wanted
        }.min()
    }

    /// Whether any program has subscribed to a characteristic.
    public func isNotifying(
        _ uuid: String = "2a37", of address: String, adapter name: String = "hci0"
    ) -> Bool {
        guard let path = characteristicPath(uuid, of: address, adapter: name) else { return false }
        let device = devices[Self.devicePath(address, adapter: name)]
        return device?.notifiers[path]?.isEmpty == false || device?.acquired[path] != nil
    }

    /// The number of programs that have subscribed to the characteristic with this path.
    public func subscriberCount(of path: String) -> Int {
        device(ofObject: path).flatMap { devices[$0]?.notifiers[path]?.count } ?? 0
    }

    /// Makes a device notify a value, by default a Heart Rate Measurement.
    ///
    /// Returns false, and the value is lost, without a link or a subscription.
    @discardableResult
    public func notify(_ address: String, _ value: [UInt8], of uuid: String = "2a37") -> Bool {
        var isReported = false
        guard descriptions[address]?.behaviour.isSilent == false else { return false }
        let uuid = FakeUUID.full(uuid)
        for path in paths(of: address) where isConnected(path) {
            guard let device = devices[path] else { continue }
            if sendAcquired(value, of: uuid, device) { isReported = true }
            for (characteristic, senders) in device.notifiers where !senders.isEmpty {
                guard case .characteristic(let found) = device.nodes[characteristic],
                    FakeUUID.full(found.uuid) == uuid
                else { continue }
                // bluetoothd emits a value once for each subscribed program, even if it is
                // unchanged.
                for _ in senders {
                    emit(
                        tree.set(
                            characteristic, FakeInterface.characteristic,
                            ["Value": .bytes(value)], evenIfEqual: true))
                }
                isReported = true
            }
        }
        return isReported
    }

    /// Makes a device notify `count` values as fast as the bus accepts them.
    public func burst(
        _ address: String, of uuid: String = "2a37", count: Int,
        value: @Sendable (_ number: Int) -> [UInt8]
    ) async {
        for number in 0..<count {
            notify(address, value(number), of: uuid)
            if number % 500 == 499 { await flush() }
        }
        await flush()
    }

    /// Adds hidden services after the others were resolved.
    public func revealServices(_ address: String) {
        descriptions[address]?.behaviour.hiddenServices = []
        guard let description = descriptions[address] else { return }
        for (path, device) in devices where device.address == address && isConnected(path) {
            showAttributes(of: description, at: path)
        }
    }

    /// Changes the value that a read of a characteristic returns.
    public func setValue(_ value: [UInt8], of uuid: String, on address: String) {
        let uuid = FakeUUID.full(uuid)
        guard var description = descriptions[address] else { return }
        for service in description.services.indices {
            for index in description.services[service].characteristics.indices
            where FakeUUID.full(description.services[service].characteristics[index].uuid) == uuid {
                description.services[service].characteristics[index].value = value
            }
        }
        descriptions[address] = description
        for (path, device) in devices where device.address == address {
            for case (let object, .characteristic(var found)) in device.nodes
            where FakeUUID.full(found.uuid) == uuid {
                found.value = value
                devices[path]?.nodes[object] = .characteristic(found)
            }
        }
    }

    /// Changes the battery level of a device, which it notifies.
    public func setBattery(_ address: String, _ level: UInt8) {
        setValue([level], of: FakeUUID.batteryLevel, on: address)
        for (path, device) in devices where device.address == address {
            emit(tree.set(path, FakeInterface.battery, ["Percentage": .byte(level)]))
        }
        notify(address, [level], of: FakeUUID.batteryLevel)
    }
}
