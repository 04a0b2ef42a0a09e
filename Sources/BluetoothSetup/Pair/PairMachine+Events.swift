import Bluetooth
import DBus
import GatewayCore
import Platform

/// Changes of objects, answers to calls, questions of bluetoothd, and the end.
extension PairMachine {
    mutating func handle(
        _ change: ManagedObjects.Change, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch change {
        case .added(let path, BlueZName.device), .changed(let path, BlueZName.device, _, _):
            return tree.device(at: path).map { consider($0, in: tree) } ?? []
        case .removed(let path, BlueZName.device):
            // bluetoothd removes a device that was out of range for too long.
            if case .retrying(path, _) = state { state = .scanning }
            return []
        default: return []
        }
    }

    mutating func finish(
        _ request: Request, _ result: Result<[BusValue], BusError>, in tree: ManagedObjects,
        at now: BootInstant
    ) -> [Action] {
        switch request {
        case .registerAgent:
            if let error = result.error {
                return end(LinkError("cannot register a pairing agent: \(error)"))
            }
            return search(in: tree)
        case .discovery(let path, let step):
            let next = discoveries[path]?.answered(step, result.error, at: now)
            return next.map { [call($0, on: path)] } ?? []
        case .pair: return pairAnswered(result.error, in: tree, at: now)
        case .cancelPairing, .disconnect: return []
        }
    }

    private mutating func pairAnswered(
        _ error: BusError?, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard case .pairing(let path) = state else { return [] }
        let name = tree.device(at: path)?.name
        let withdrawn = Action.output(.event(.questionWithdrawn))
        guard let error else { return [withdrawn] + finish(path, name: name, isNew: true) }
        switch PairFailure(error, of: address, hasTerminal: capability == .terminal) {
        case .isPaired: return [withdrawn] + finish(path, name: name, isNew: false)
        case .final(let error): return [withdrawn] + end(error, in: tree)
        case .retry:
            isOwnLink = false
            state = .retrying(path: path, at: now.adding(seconds: Self.retrySeconds))
            return [withdrawn]
        }
    }

    /// Answers bluetoothd, or asks the user; another device is rejected.
    mutating func handle(_ event: AgentEvent) -> [Action] {
        guard case .asked(let question, let number) = event else {
            return [.output(.event(.questionWithdrawn))]
        }
        guard case .pairing(question.device) = state else { return [.answer(number, .reject)] }
        func ask(_ text: PairingQuestion) -> [Action] {
            guard capability == .terminal else { return [.answer(number, .reject)] }
            return [.output(.asked(Question(number: number, text: text)))]
        }
        func show(_ what: String, _ digits: String) -> [Action] {
            let text = "enter the \(what) \(digits) on the device"
            return [.answer(number, .accept), .output(.event(.instruction(text)))]
        }
        switch question.kind {
        case .pinCode: return ask(.pinCode)
        case .passkey: return ask(.passkey)
        case .comparison(let passkey): return ask(.comparison(passkey))
        case .shownPinCode(let pin): return show("PIN", DeviceInformation.printable(pin))
        case .shownPasskey(let passkey):
            return show("passkey", PairingQuestion.digits(of: passkey))
        // The user has asked for this pairing.
        case .authorization: return [.answer(number, .accept)]
        case .service: return [.answer(number, .reject)]
        }
    }

    mutating func timerFired(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        if let deadline, deadline <= now { return giveUp(in: tree) }
        guard case .retrying(let path, let time) = state, time <= now else { return [] }
        guard let device = tree.device(at: path), device.isInRange else {
            state = .scanning
            return []
        }
        state = .scanning
        return consider(device, in: tree)
    }

    /// Ends without the device; one that another adapter has paired is paired.
    private mutating func giveUp(in tree: ManagedObjects) -> [Action] {
        let paired = tree.devices.first { $0.address == address && $0.isPaired }
        guard state == .scanning, let paired else { return end(timeoutError, in: tree) }
        return finish(paired.path, name: paired.name, isNew: false)
    }

    private var timeoutError: LinkError {
        let limit = "within \(Int(seconds.rounded())) seconds"
        return switch state {
        case .starting: LinkError("bluetoothd did not answer \(limit)")
        case .scanning:
            LinkError(
                "\(address) was not seen \(limit)", remedy: BluetoothInspector.notSeenRemedy)
        default:
            LinkError(
                "\(address) was seen, but not paired \(limit)",
                remedy: "put the device into its pairing mode, or increase --timeout")
        }
    }

    /// Scans until the device is found.
    mutating func updateDiscoveries(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        // bluetoothd ends our discovery with the connection.
        guard state != .ended else { return [] }
        let isWanted = state == .scanning
        let powered = tree.adapters.filter(\.isPowered)
        discoveries = discoveries.filter { path, _ in powered.contains { $0.path == path } }
        return powered.compactMap { adapter in
            let step = discoveries[adapter.path, default: Discovery()].nextStep(
                isWanted: isWanted, isDiscovering: adapter.isDiscovering, at: now)
            return step.map { call($0, on: adapter.path) }
        }
    }

    /// The call of a discovery step; a device to pair may be a classic one.
    private func call(_ step: Discovery.Step, on path: String) -> Action {
        .call(
            .discovery(adapter: path, step),
            step.call(on: path, filter: ["Transport": .string("auto")]))
    }

    /// Ends with an error, and what may be pending.
    mutating func end(_ error: LinkError, in tree: ManagedObjects = ManagedObjects()) -> [Action] {
        let last = release(in: tree)
        state = .ended
        return last + [.end(error)]
    }

    /// Stops: cancels the pairing, and ends a link that was made here.
    mutating func stop(in tree: ManagedObjects) -> [Action] {
        let last = release(in: tree)
        state = .ended
        return last
    }

    private func release(in tree: ManagedObjects) -> [Action] {
        switch state {
        case .pairing(let path):
            let cancel = Action.call(
                .cancelPairing, call("CancelPairing", on: path, Self.endSeconds))
            return [cancel] + disconnect(path)
        case .paired(let path):
            guard tree.device(at: path)?.isConnected == true, !tree.isNotifying(under: path)
            else { return [] }
            return disconnect(path)
        case .starting, .scanning, .retrying, .ended: return []
        }
    }

    private func disconnect(_ path: String) -> [Action] {
        isOwnLink ? [.call(.disconnect, call("Disconnect", on: path, Self.endSeconds))] : []
    }
}
