import DBus
import Glibc

/// The socket over which a program receives the notifications of a characteristic.
struct FakeAcquired {
    let sender: String
    /// The end of bluetoothd; it notices when the program has closed the other one.
    let socket: PacketWatch
}

extension FakeBlueZ {
    /// The longest value of a notification with the usual MTU of a link, and its header.
    private static let mtu: UInt16 = 517

    func acquireNotify(
        _ request: BusRequest, _ characteristic: FakeCharacteristic, of device: String,
        _ reply: BusReply
    ) {
        guard characteristic.canNotify, description(device)?.behaviour.offersSockets == true
        else { return reply.fail(.notSupported) }
        guard isConnected(device) else { return reply.fail(.notConnected) }
        guard devices[device]?.acquired[request.path] == nil else {
            return reply.fail(.notPermitted("Notify acquired"))
        }
        guard description(device)?.behaviour.isSilent == false else {
            devices[device]?.unanswered.append(reply)
            return
        }
        guard devices[device]?.notifiers[request.path]?.isEmpty != false else {
            return reply.fail(.inProgress)
        }
        if let security = description(device)?.behaviour.security, !isPaired(device) {
            return secure(device, security, reply) {
                $0.acquireNotify(request, characteristic, of: device, reply)
            }
        }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_LOCAL, kind, 0, &ends) == 0 else {
            return reply.fail(.failed("socketpair"))
        }
        devices[device]?.acquired[request.path] = FakeAcquired(
            sender: request.sender, socket: watch(ends[0], of: request.path))
        setAcquired(request.path, true)
        // The reply copies its end.
        let other = BusDescriptor(owning: ends[1])
        reply.return([.descriptor(other), .uint16(Self.mtu)])
    }

    private func watch(_ number: Int32, of characteristic: String) -> PacketWatch {
        let socket = BusDescriptor(owning: number)
        return PacketWatch(socket, on: loop) { _ in
        } ended: { [weak self] in
            self?.assumeIsolated { $0.closed(socket, of: characteristic) }
        }
    }

    /// The program has closed its end.
    private func closed(_ socket: BusDescriptor, of characteristic: String) {
        guard let device = device(ofObject: characteristic),
            devices[device]?.acquired[characteristic]?.socket.descriptor === socket
        else { return }
        releaseNotify(characteristic)
    }

    /// Ends the notifications that a program has acquired; false when none has.
    @discardableResult
    func releaseNotify(_ characteristic: String) -> Bool {
        guard let device = device(ofObject: characteristic),
            devices[device]?.acquired.removeValue(forKey: characteristic) != nil
        else { return false }
        setAcquired(characteristic, false)
        notifyWaiters()
        return true
    }

    private func setAcquired(_ characteristic: String, _ isAcquired: Bool) {
        // bluetoothd does not change `Notifying`.
        emit(
            tree.set(
                characteristic, FakeInterface.characteristic,
                ["NotifyAcquired": .boolean(isAcquired)]))
    }

    /// Sends a value to the program that has acquired the characteristic; false without one.
    func sendAcquired(_ value: [UInt8], of uuid: String, _ device: FakeKnownDevice) -> Bool {
        var isSent = false
        for (path, acquired) in device.acquired {
            guard case .characteristic(let found) = device.nodes[path],
                FakeUUID.full(found.uuid) == uuid
            else { continue }
            let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
            isSent =
                send(acquired.socket.descriptor.number, value, value.count, flags) == value.count
        }
        return isSent
    }

    /// Emits a value on the bus, as after a read by another program.
    public func emitValue(_ value: [UInt8], of uuid: String, on address: String) {
        guard let path = characteristicPath(uuid, of: address) else { return }
        emit(
            tree.set(
                path, FakeInterface.characteristic, ["Value": .bytes(value)], evenIfEqual: true))
    }

    /// Closes all sockets, as when another program has called `StopNotify`.
    public func releaseSockets() {
        for path in devices.keys { releaseAll(of: path) }
    }

    /// Ends all acquired notifications of a device, those of one program or of any.
    func releaseAll(of device: String, by sender: String? = nil) {
        for (characteristic, acquired) in devices[device]?.acquired ?? [:]
        where sender == nil || acquired.sender == sender {
            releaseNotify(characteristic)
        }
    }

    /// The number of characteristics whose notifications a program has acquired.
    public var acquiredCount: Int {
        devices.values.reduce(0) { $0 + $1.acquired.count }
    }
}
