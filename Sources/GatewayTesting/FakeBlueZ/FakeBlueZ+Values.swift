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
        case "AcquireNotify", "AcquireWrite": reply.fail(.notSupported)
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

    /// Answers whether something can be asked of a device now; else the call fails, or waits for the
    /// end of a silent link.
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
        // Kept with the device, for the link may end meanwhile.
        devices[device]?.reads.append(FakeRead(path: path, value: value, reply: reply))
        after(description(device)?.behaviour.readSeconds ?? 0, .read(path)) {
            $0.finishReads(of: path, device)
        }
    }

    /// What is read is told to all, then answered; calls for the same value share its answer.
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
        // Without a link it is remembered for the next one.
        let isReady = isConnected(device)
        if isReady, description(device)?.behaviour.isSilent == true {
            devices[device]?.unanswered.append(reply)
            return
        }
        devices[device]?.notifiers[request.path, default: []].insert(request.sender)
        if isReady { setNotifying(request.path, true) }
        reply.return()
    }

    private func stopNotify(_ request: BusRequest, of device: String, _ reply: BusReply) {
        guard
            devices[device]?.notifiers[request.path]?.remove(request.sender) != nil
        else { return reply.fail(.failed("No notify session started")) }
        if devices[device]?.notifiers[request.path]?.isEmpty == true {
            setNotifying(request.path, false)
        }
        reply.return()
    }
}

/// A read under way.
struct FakeRead {
    let path: String
    let value: [UInt8]
    let reply: BusReply
}

extension FakeBlueZ {
    /// The path of a characteristic of a device that has been connected; nil when it is not there.
    public func characteristicPath(
        _ uuid: String, of address: String, adapter name: String = "hci0"
    ) -> String? {
        let device = Self.devicePath(address, adapter: name)
        return devices[device]?.nodes.keys.sorted().first { path in
            tree.properties(path, FakeInterface.characteristic)?["UUID"]
                == .string(FakeUUID.full(uuid))
        }
    }

    /// Whether anybody wants a characteristic's notifications.
    public func isNotifying(
        _ uuid: String = "2a37", of address: String, adapter name: String = "hci0"
    ) -> Bool {
        guard let path = characteristicPath(uuid, of: address, adapter: name) else { return false }
        return devices[Self.devicePath(address, adapter: name)]?.notifiers[path]?.isEmpty == false
    }

    /// How many programs want the notifications of the characteristic with this path.
    public func subscriberCount(of path: String) -> Int {
        device(ofObject: path).flatMap { devices[$0]?.notifiers[path]?.count } ?? 0
    }

    /// Lets a device notify a value, by default a Heart Rate Measurement.
    ///
    /// It is lost, and false returned, when no link brings it or nobody wants it.
    @discardableResult
    public func notify(_ address: String, _ value: [UInt8], of uuid: String = "2a37") -> Bool {
        var isTold = false
        for (path, device) in devices
        where device.address == address && isConnected(path)
            && descriptions[address]?.behaviour.isSilent == false
        {
            for (characteristic, senders) in device.notifiers where !senders.isEmpty {
                guard case .characteristic(let found) = device.nodes[characteristic],
                    FakeUUID.full(found.uuid) == FakeUUID.full(uuid)
                else { continue }
                // bluetoothd tells a value to everybody, once for each program that has subscribed,
                // and again also when it is the same.
                for _ in senders {
                    emit(
                        tree.set(
                            characteristic, FakeInterface.characteristic,
                            ["Value": .bytes(value)], evenIfEqual: true))
                }
                isTold = true
            }
        }
        return isTold
    }

    /// Lets a device notify so many values as fast as the bus takes them.
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

    /// Shows services that were hidden, though the others have been resolved long ago.
    public func revealServices(_ address: String) {
        descriptions[address]?.behaviour.hiddenServices = []
        guard let description = descriptions[address] else { return }
        for (path, device) in devices where device.address == address && isConnected(path) {
            showAttributes(of: description, at: path)
        }
    }

    /// Changes what a read of a characteristic answers.
    public func setValue(_ value: [UInt8], of uuid: String, on address: String) {
        let uuid = FakeUUID.full(uuid)
        guard var description = descriptions[address] else { return }
        for service in description.services.indices {
            for place in description.services[service].characteristics.indices
            where FakeUUID.full(description.services[service].characteristics[place].uuid) == uuid {
                description.services[service].characteristics[place].value = value
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

    /// Changes how full a device's battery is, which it notifies.
    public func setBattery(_ address: String, _ level: UInt8) {
        setValue([level], of: FakeUUID.batteryLevel, on: address)
        for (path, device) in devices where device.address == address {
            emit(tree.set(path, FakeInterface.battery, ["Percentage": .byte(level)]))
        }
        notify(address, [level], of: FakeUUID.batteryLevel)
    }
}
