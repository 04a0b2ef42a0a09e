import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// The answers to the calls of a central.
extension EnduranceBus {
    func serve(_ call: BlueZCall) {
        guard call.interface != BlueZName.adapter else {
            let adapter = adapters.firstIndex { $0.path == call.path }
            guard let adapter, isUsable(adapter)
            else { return answer(call, .failure(.bluez("NotReady"))) }
            return serve(call, on: adapter)
        }
        guard let (number, adapter) = numbers[call.path], let strap = straps[number],
            driver.daemon.tree.device(at: strap.paths[adapter]) != nil
        else { return answer(call, .failure(.unknownObject)) }
        guard isUsable(adapter) else { return answer(call, .failure(.bluez("NotReady"))) }
        switch call.member {
        case "Connect": connect(number, on: adapter, call)
        case "Disconnect": disconnect(number, call)
        default: request(number, on: adapter, call)
        }
    }

    private func serve(_ call: BlueZCall, on adapter: Int) {
        let isDiscovering = adapters[adapter].isDiscovering
        switch call.member {
        case "SetDiscoveryFilter" where adapters[adapter].refusesFilters:
            answer(call, .failure(.bluez("InvalidArguments")))
        case "StartDiscovery" where isDiscovering: answer(call, .failure(.bluez("InProgress")))
        case "StartDiscovery" where adapters[adapter].isDeaf: answer(call, .success([]))
        case "StartDiscovery":
            answer(call, .success([]))
            discover(adapter, true)
            for number in unlinked { advertise(number, on: adapter) }
        case "StopDiscovery":
            answer(call, isDiscovering ? .success([]) : .failure(.failed("No discovery started")))
            if isDiscovering { discover(adapter, false) }
        case "RemoveDevice":
            answer(call, .success([]))
            if let path = call.body.first?.string { removeObjects(below: path) }
        default: answer(call, .success([]))
        }
    }

    private func connect(_ number: UInt8, on adapter: Int, _ call: BlueZCall) {
        guard let strap = straps[number], strap.isThere else {
            counts.losses += 1
            return hang(call)
        }
        // bluetoothd has the link already when the central could not end it.
        guard strap.adapter == nil else {
            return strap.adapter == adapter ? answer(call, .success([])) : hang(call)
        }
        let fault = strap.wrongConnects > 0 ? strap.connectFault : nil
        if fault != nil {
            straps[number]?.wrongConnects -= 1
            note(.connect, number)
        }
        if fault != nil, fault != .drops { counts.losses += 1 }
        switch fault {
        case .hangs: return hang(call)
        case .disturbed: return answer(call, .failure(.failed("le-connection-abort-by-local")))
        case .noSlot: return answer(call, .failure(.failed("Too many links")))
        case .drops, nil: break
        }
        straps[number]?.adapter = adapter
        driver.set(strap.paths[adapter], ["Connected": .boolean(true)])
        answer(call, .success([]))
        if fault == .drops { return drop(number) }
        resolve(number, on: adapter)
    }

    /// bluetoothd keeps the objects of the services while it knows the device.
    private func resolve(_ number: UInt8, on adapter: Int) {
        guard let strap = straps[number] else { return }
        let path = strap.measurements[adapter]
        if driver.daemon.tree.properties(path, BlueZName.gattCharacteristic) == nil {
            driver.feed { $0.addServices(of: number, on: adapter) }
        }
        driver.set(strap.paths[adapter], ["ServicesResolved": .boolean(true)])
    }

    private func disconnect(_ number: UInt8, _ call: BlueZCall) {
        release(call.path, .failed("le-connection-abort-by-local"))
        guard straps[number]?.stuckDisconnects == 0 else {
            straps[number]?.stuckDisconnects -= 1
            note(.stuckDisconnect, number)
            counts.losses += 1
            if self.number(below: 2) == 0 { drop(number) }
            return hang(call)
        }
        answer(call, .success([]))
        drop(number, isWanted: true)
    }

    private func request(_ number: UInt8, on adapter: Int, _ call: BlueZCall) {
        guard let strap = straps[number], strap.adapter == adapter
        else { return answer(call, .failure(.failed("Not connected"))) }
        guard !strap.isSilent || call.member == "StopNotify" else {
            counts.unanswered += 1
            return hang(call)
        }
        guard call.member == "StartNotify" else { return answer(call, .success([.bytes([1])])) }
        guard call.path == strap.measurements[adapter] else {
            answer(call, .success([]))
            return beat(number)
        }
        if strap.asksForPairing {
            askForPairing(number, on: adapter)
            return answer(call, .failure(.failed("Operation failed with ATT error: 0x05")))
        }
        if strap.refusals > 0 {
            straps[number]?.refusals -= 1
            counts.losses += 1
            note(.refuse, number)
            return answer(call, .failure(.failed("Operation failed with ATT error: 0x0e")))
        }
        straps[number]?.isNotifying = true
        answer(call, .success([]))
    }

    private func askForPairing(_ number: UInt8, on adapter: Int) {
        straps[number]?.asksForPairing = false
        counts.losses += 1
        note(.pairing, number)
        let path = BusValue.objectPath(Daemon.device(number, on: adapter))
        guard let question = AgentQuestion("RequestAuthorization", [path]) else { return }
        driver.handle(.agent(.asked(question, number: 1)))
    }
}
