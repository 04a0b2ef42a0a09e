import DBus
import GatewayCore

/// From nothing to a link.
extension Link {
    /// The device was heard.
    mutating func heard(at now: BootInstant) -> [Action] {
        switch state {
        case .wanted(isHeard: false):
            state = .wanted(isHeard: true)
            return []
        case .backOff:
            // It is there: there is no sense in waiting longer than between any two attempts.
            let next = (lastAttempt ?? now).adding(seconds: policy.attemptSpacingSeconds)
            state = .backOff(isHeard: true)
            deadline = min(deadline ?? next, max(next, now))
            return []
        default: return []
        }
    }

    /// The adapter has time: connect, or take over a connection that is there.
    mutating func takeTurn(isConnected: Bool, at now: BootInstant) -> [Action] {
        guard wantsTurn else { return [] }
        attempt += 1
        lastAttempt = now
        isRenewed = false
        guard !isConnected else { return resolve(at: now) }
        return enter(.connecting, policy.connectSeconds, at: now)
            + [.perform(.connect, attempt: attempt)]
    }

    /// bluetoothd has answered a request to connect.
    mutating func connectAnswered(_ error: BusError?, at now: BootInstant) -> [Action] {
        guard state == .connecting else { return [] }
        guard let error else { return resolve(at: now) }
        let note = Action.note("cannot connect: \(error)")
        switch ConnectFailure(error) {
        case .underWay: return [note]
        case .transient: return [note] + fail(Ending(kind: .transient, reason: "\(error)"), at: now)
        case .noSlot:
            let reason = "the adapter has no room for another link"
            return [note] + fail(Ending(kind: .noRoom, reason: reason), at: now)
        case .gone:
            return [note] + fail(Ending(kind: .noRoom, reason: "not heard any more"), at: now)
        case .notPowered: return [note] + lose("the adapter is off", at: now)
        case .other:
            let reason = "it cannot be connected to: \(error)"
            return [note] + fail(Ending(kind: .failure, reason: reason), at: now)
        }
    }

    /// bluetoothd says whether there is a connection.
    mutating func connectionChanged(to isConnected: Bool, at now: BootInstant) -> [Action] {
        switch (state, isConnected) {
        case (.connecting, true): return resolve(at: now)
        case (.ending(let ending), false): return fail(ending, at: now)
        case (.resolving, false), (.subscribing, false):
            let reason = "the link was lost before anything was measured"
            return fail(Ending(kind: .transient, reason: reason), at: now)
        case (.live, false), (.stale, false): return drop("the link was lost", at: now)
        // Around some failures the property goes up and down again; the answer to the call tells.
        default: return []
        }
    }

    private mutating func resolve(at now: BootInstant) -> [Action] {
        enter(.resolving, policy.resolveSeconds, at: now)
    }

    /// The objects of the device's services are there.
    mutating func resolved(
        _ characteristics: [BlueZCharacteristic], of device: BlueZDevice,
        batteryPercentage: UInt8?, at now: BootInstant
    ) -> [Action] {
        guard state == .resolving else { return [] }
        let begun = Conversation(
            profiles: profiles, characteristics: characteristics,
            batteryPercentage: batteryPercentage)
        guard let begun else {
            // They may come a little later than they are said to be there.
            let late = now.adding(seconds: policy.lateServiceSeconds)
            deadline = min(deadline ?? late, late)
            return []
        }
        conversation = begun
        failures.serviceWasThere()
        let opened = DeviceReport.Content.opened(device.known, at: now)
        let actions = [.report(opened)] + enter(.subscribing, nil, at: now)
        return actions + carryOut(conversation?.open(at: now), at: now)
    }
}
