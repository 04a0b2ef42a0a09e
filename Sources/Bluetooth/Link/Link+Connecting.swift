import DBus
import GatewayCore
import Platform

/// Connecting.
extension Link {
    /// Handles an advertisement of the device.
    mutating func seen(at now: BootInstant) -> [Action] {
        lastSeen = now
        // An advertisement shortens the pause to the minimum between two attempts.
        let attempted = lastAttempt?.adding(seconds: policy.attemptSpacingSeconds) ?? now
        let earliest = max(now, attempted)
        switch state {
        case .wanted(isSeen: false) where earliest > now:
            state = .backOff(isSeen: true, endsWhenSeen: true)
            deadline = earliest
        case .wanted(isSeen: false):
            state = .wanted(isSeen: true)
        case .backOff(_, let endsWhenSeen):
            state = .backOff(isSeen: true, endsWhenSeen: endsWhenSeen)
            if endsWhenSeen { deadline = min(deadline ?? earliest, earliest) }
        default: break
        }
        return []
    }

    /// Starts an attempt on an idle adapter: connects, or uses an existing connection.
    mutating func startAttempt(
        _ attempt: Int, isConnected: Bool, at now: BootInstant
    ) -> [Action] {
        guard isReadyToConnect else { return [] }
        self.attempt = attempt
        lastAttempt = now
        connectTime = nil
        isRenewed = false
        hasData = false
        unansweredCount = 0
        // `isOwnLink` does not change: our own link that could not be ended is still our own.
        guard !isConnected else { return resolve(at: now) }
        isOwnLink = true
        return enter(.connecting, policy.connectSeconds, at: now)
            + [.perform(.connect)]
    }

    /// Reports what the link waits for.
    mutating func report(_ wait: Wait) -> [Action] {
        guard isReadyToConnect, reportedWait != wait else { return [] }
        reportedWait = wait
        return [.report(.link(.wanted, reason: wait.reason))]
    }

    /// Calls `Connect` again: the other attempt may have ended.
    ///
    /// When it is the attempt of another program, the answer comes at once.
    mutating func connectAgain() -> [Action] {
        isOwnLink = true
        return [.perform(.connect)]
    }

    /// Shortens the attempt because another device waits for the adapter.
    mutating func shortenAttempt(at now: BootInstant) -> [Action] {
        guard state == .connecting, let lastAttempt, let deadline else { return [] }
        let end = max(now, lastAttempt.adding(seconds: policy.contendedConnectSeconds))
        self.deadline = min(deadline, end)
        return []
    }

    /// Notes that the device is disconnected, when there is no link to it here.
    mutating func noteDisconnected() {
        if !isLinked { isOwnLink = false }
    }

    /// Handles the answer to `Connect`.
    mutating func connectAnswered(_ error: BusError?, at now: BootInstant) -> [Action] {
        let failure = error.flatMap { ConnectFailure($0) }
        if error != nil, failure == nil || failure == .underWay { isOwnLink = false }
        guard state == .connecting else { return [] }
        guard let error, let failure else { return resolve(at: now) }
        // After a failed call there is nothing to disconnect.
        isOwnLink = false
        let note = Action.note("cannot connect: \(error)")
        switch failure {
        case .underWay:
            connectTime = now.adding(seconds: policy.busyConnectSeconds)
            return [note]
        case .transient: return [note] + fail(Ending(kind: .transient, reason: "\(error)"), at: now)
        case .noSlot:
            let reason = "adapter connection limit reached"
            return [note] + fail(Ending(kind: .adapterFull, reason: reason), at: now)
        case .gone:
            return [note] + fail(Ending(kind: .unavailable, reason: "no longer in range"), at: now)
        case .notPowered:
            return [note] + interrupt("adapter is powered off", at: now) + [.restartDiscovery]
        case .other:
            let reason = "cannot connect: \(error)"
            return [note] + fail(Ending(kind: .failure, reason: reason), at: now)
        }
    }

    /// Handles a change of `Connected`.
    mutating func connectionChanged(to isConnected: Bool, at now: BootInstant) -> [Action] {
        // During an attempt the property may change several times.
        if !isConnected, state != .connecting { isOwnLink = false }
        switch (state, isConnected) {
        case (.connecting, true): return resolve(at: now)
        case (.ending(let ending), false): return fail(ending, at: now)
        case (.resolving, false), (.subscribing, false):
            return fail(endingOfEarlyLoss(), at: now)
        case (.live, false), (.stale, false): return linkLost("link lost", at: now)
        // Some failures set and reset the property; the answer to the call decides.
        default: return []
        }
    }

    private mutating func resolve(at now: BootInstant) -> [Action] {
        areServicesLate = false
        isTurnedAway = false
        pairing.beginLink()
        return enter(.resolving, policy.resolveSeconds, at: now)
    }

    /// Handles resolved services: starts the session, or waits for late services.
    mutating func resolved(
        _ characteristics: [BlueZCharacteristic], of device: BlueZDevice,
        batteryPercentage: UInt8?, at now: BootInstant
    ) -> [Action] {
        guard state == .resolving else { return [] }
        // Late objects arrive one by one; use those that exist at the deadline.
        if areServicesLate, let deadline, deadline > now { return [] }
        let acquired =
            isAcquireUnanswered ? [] : policy.acquired.characteristics(of: address, profiles)
        let newSession = GATTSession(
            profiles: profiles, characteristics: characteristics,
            batteryPercentage: batteryPercentage, acquired: acquired, mark: mark,
            recordsTraffic: policy.recordsTraffic)
        guard let newSession else {
            areServicesLate = true
            let late = now.adding(seconds: policy.lateServiceSeconds)
            deadline = min(deadline ?? late, late)
            return []
        }
        session = newSession
        failures.serviceFound()
        let opened = DeviceReport.Content.opened(device.known, at: now)
        let adapter = policy.recordsTraffic ? [newSession.adapterReport] : []
        let actions =
            adapter + [.report(opened)] + enter(.subscribing, nil, at: now)
            + (session?.open(at: now) ?? [])
        // There may be nothing to read or subscribe to.
        return session?.isReady == true ? actions + finishSetup(at: now) : actions
    }
}
