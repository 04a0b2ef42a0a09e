import DBus
import GatewayCore
import Platform

/// From nothing to a link.
extension Link {
    /// The device was heard.
    mutating func heard(at now: BootInstant) -> [Action] {
        // There is no sense in waiting longer than between any two attempts.
        let attempted = lastAttempt?.adding(seconds: policy.attemptSpacingSeconds) ?? now
        let earliest = max(now, attempted)
        switch state {
        case .wanted(isHeard: false) where earliest > now:
            state = .backOff(isHeard: true, endsWhenHeard: true)
            deadline = earliest
        case .wanted(isHeard: false):
            state = .wanted(isHeard: true)
        case .backOff(_, let endsWhenHeard):
            state = .backOff(isHeard: true, endsWhenHeard: endsWhenHeard)
            if endsWhenHeard { deadline = min(deadline ?? earliest, earliest) }
        default: break
        }
        return []
    }

    /// The adapter has time: connect, or take over a connection that is there.
    mutating func takeTurn(
        _ attempt: Int, isConnected: Bool, at now: BootInstant
    ) -> [Action] {
        guard wantsTurn else { return [] }
        self.attempt = attempt
        lastAttempt = now
        isRenewed = false
        // A link of ours that could not be ended is still ours.
        guard !isConnected else { return resolve(at: now) }
        isOurs = true
        return enter(.connecting, policy.connectSeconds, at: now)
            + [.perform(.connect)]
    }

    /// The adapter has no time: it makes or ends another link.
    mutating func waitForTurn() -> [Action] {
        guard wantsTurn, !hasSaidToWait else { return [] }
        hasSaidToWait = true
        return [.report(.link(.wanted, reason: "heard; waits until the adapter has time"))]
    }

    /// bluetoothd says that the device is not connected, when no link to it is known here.
    mutating func linkIsGone() {
        if !isLinked { isOurs = false }
    }

    /// bluetoothd has answered a request to connect.
    mutating func connectAnswered(_ error: BusError?, at now: BootInstant) -> [Action] {
        let failure = error.flatMap { ConnectFailure($0) }
        if error != nil, failure == nil || failure == .underWay { isOurs = false }
        guard state == .connecting else { return [] }
        guard let error, let failure else { return resolve(at: now) }
        // A refused call leaves nothing to withdraw.
        isOurs = false
        let note = Action.note("cannot connect: \(error)")
        switch failure {
        case .underWay: return [note]
        case .transient: return [note] + fail(Ending(kind: .transient, reason: "\(error)"), at: now)
        case .noSlot:
            let reason = "the adapter has no room for another link"
            return [note] + fail(Ending(kind: .noRoom, reason: reason), at: now)
        case .gone:
            return [note] + fail(Ending(kind: .noRoom, reason: "not heard any more"), at: now)
        case .notPowered: return [note] + lose("the adapter is off", at: now) + [.lookAgain]
        case .other:
            let reason = "it cannot be connected to: \(error)"
            return [note] + fail(Ending(kind: .failure, reason: reason), at: now)
        }
    }

    /// bluetoothd says whether there is a connection.
    mutating func connectionChanged(to isConnected: Bool, at now: BootInstant) -> [Action] {
        // While an attempt goes on the property may go up and down.
        if !isConnected, state != .connecting { isOurs = false }
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
        areServicesLate = false
        return enter(.resolving, policy.resolveSeconds, at: now)
    }

    /// The objects of the device's services are there.
    mutating func resolved(
        _ characteristics: [BlueZCharacteristic], of device: BlueZDevice,
        batteryPercentage: UInt8?, at now: BootInstant
    ) -> [Action] {
        guard state == .resolving else { return [] }
        // Late objects come one after the other; what is there when their time is over is taken.
        if areServicesLate, let deadline, deadline > now { return [] }
        let begun = GATTSession(
            profiles: profiles, characteristics: characteristics,
            batteryPercentage: batteryPercentage)
        guard let begun else {
            areServicesLate = true
            let late = now.adding(seconds: policy.lateServiceSeconds)
            deadline = min(deadline ?? late, late)
            return []
        }
        session = begun
        failures.serviceWasThere()
        let opened = DeviceReport.Content.opened(device.known, at: now)
        let actions =
            [.report(opened)] + enter(.subscribing, nil, at: now)
            + (session?.open(at: now) ?? [])
        // There may be nothing to ask.
        return session?.isReady == true ? actions + settle(at: now) : actions
    }
}
