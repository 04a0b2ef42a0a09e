import DBus
import GatewayCore
import Platform
import Readings

/// An established link: values, silence and probes.
extension Link {
    /// Handles the answer to an operation of the session.
    mutating func answered(
        _ operation: GATTSession.Operation, _ result: Result<[UInt8], BusError>,
        at now: BootInstant
    ) -> [Action] {
        if case .acquire(let path) = operation, result.isNotOffered {
            return session?.acquireRefused(path) ?? []
        }
        if case .acquire = operation, result.isUnanswered { isAcquireUnanswered = true }
        let value = try? result.get()
        var actions: [Action] = []
        if case .failure(let error) = result {
            actions.append(.note("cannot \(operation.summary): \(error)"))
            noteFailure(of: operation, error)
        }
        if state == .subscribing, result.isNotConnected { return actions + endDyingLink(at: now) }
        actions +=
            session?.finished(operation, with: value, isBusy: result.isBusy, at: now) ?? []
        let isReady = session?.isReady == true
        unansweredCount = result.isUnanswered ? unansweredCount + 1 : 0
        switch state {
        case .subscribing where unansweredCount >= policy.unansweredLimit:
            actions =
                pairing.isUnanswered ? endWithoutSubscription(at: now) : endSilentLink(at: now)
        case .subscribing where isReady: actions += finishSetup(at: now)
        case .live where operation.subscribedPath.map { session?.hasRefused($0) == true } == true:
            actions += endWithoutRenewal(result, at: now)
        // The session repeats an operation that BlueZ was too busy for.
        case .stale(isProbing: true) where isReady || !result.isBusy:
            actions += probeAnswered(result.isFromDevice, at: now)
        case .stale(isProbing: false) where isReady: actions += renewalFinished(at: now)
        default: break
        }
        return actions
    }

    /// Handles a new value of a characteristic.
    mutating func received(_ value: [UInt8], from path: String, at now: BootInstant) -> [Action] {
        handleUnsolicited(session?.received(value, from: path, at: now) ?? [], at: now)
    }

    /// Handles the end of the socket of acquired notifications.
    mutating func released(_ path: String, at now: BootInstant) -> [Action] {
        session?.released(path, at: now)
        return []
    }

    /// Handles a line of the program that decodes for a profile.
    mutating func printed(
        _ line: [UInt8], on channel: Channel, at now: BootInstant
    ) -> [Action] {
        handleUnsolicited(session?.printed(line, on: channel, at: now) ?? [], at: now)
    }

    /// Handles the battery level reported by bluetoothd.
    mutating func battery(_ percentage: UInt8, at now: BootInstant) -> [Action] {
        handleUnsolicited(session?.battery(percentage, at: now) ?? [], at: now)
    }

    /// Handles unsolicited data: if it can be decoded, the device is not silent.
    private mutating func handleUnsolicited(_ actions: [Action], at now: BootInstant) -> [Action] {
        let isResponding = actions.contains { action in
            switch action {
            case .report(.readings), .report(.seen): true
            default: false
            }
        }
        guard isResponding else { return actions }
        switch state {
        case .live: break
        case .stale:
            state = .live
            isRenewed = false
        default: return actions
        }
        expectValues(after: now)
        guard !hasData else { return actions }
        hasData = true
        failures.dataReceived()
        return actions + [.report(.link(.live, reason: nil))]
    }

    /// Handles the timer of the link and of its session.
    mutating func timerFired(at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        if let wakeTime = session?.wakeTime, wakeTime <= now {
            actions += session?.wake(at: now) ?? []
        }
        if let due = deadline, due <= now {
            deadline = nil
            return actions + deadlineExpired(at: now)
        }
        if state == .connecting, let due = connectTime, due <= now {
            connectTime = nil
            actions += connectAgain()
        }
        return actions
    }

    private mutating func deadlineExpired(at now: BootInstant) -> [Action] {
        switch state {
        case .connecting: return end(.failure, "connection attempt timed out", at: now)
        case .resolving where !areServicesLate:
            return end(.failure, "service discovery timed out", at: now)
        case .resolving:
            let names = profiles.map(\.name).joined(separator: ", ")
            return end(.missingService, "required service not found: \(names)", at: now)
        case .live: return markStale(at: now)
        case .stale(isProbing: true): return endSilentLink(at: now)
        case .subscribing:
            return end(.transient, "no answer to the subscription after pairing", at: now)
        case .stale(isProbing: false): return probe(at: now)
        case .ending(let ending): return fail(ending, at: now)
        case .backOff(let isSeen, _): return waitForDevice(isSeen: isSeen, reason: nil)
        case .wanted, .idle: return []
        }
    }

    /// Finishes the setup: all initial reads and subscriptions are answered.
    mutating func finishSetup(at now: BootInstant) -> [Action] {
        guard session?.isSubscribed == true else { return endWithoutSubscription(at: now) }
        liveSince = now
        pairing.beginLink(after: true)
        state = .live
        expectValues(after: now)
        // A device whose profile allows silence needs no value to be live.
        hasData = session?.silenceLimitSeconds == nil
        return [
            hasData
                ? .report(.link(.live, reason: nil))
                : .report(.link(.subscribing, reason: "waiting for the first value"))
        ]
    }

    private mutating func expectValues(after now: BootInstant) {
        deadline = session?.silenceLimitSeconds.map { now.adding(seconds: $0) }
    }

    private mutating func markStale(at now: BootInstant) -> [Action] {
        [.report(.stale(at: now, reason: "no valid data received within the silence limit"))]
            + probe(at: now)
    }

    private mutating func probe(at now: BootInstant) -> [Action] {
        guard let actions = session?.probe() else {
            return end(.failure, "no data, and no readable characteristic to probe", at: now)
        }
        state = .stale(isProbing: true)
        deadline = now.adding(seconds: policy.operationSeconds)
        return actions
    }

    private mutating func probeAnswered(_ isThere: Bool, at now: BootInstant) -> [Action] {
        guard isThere else { return endSilentLink(at: now) }
        state = .stale(isProbing: false)
        deadline = now.adding(seconds: policy.probeSeconds)
        guard !isRenewed else { return [] }
        isRenewed = true
        return session?.renew() ?? []
    }

    /// Ends a link on which the device does not reply, after several in a row even one of another
    /// program: nobody can use it.
    private mutating func endSilentLink(at now: BootInstant) -> [Action] {
        failures.linkWasSilent()
        let count = failures.silentLinks
        var reason = "no data, and no reply to a read"
        guard count >= policy.silentLinkLimit else { return end(.failure, reason, at: now) }
        reason +=
            ", in \(count) links in a row; switch the device off and on, or run "
            + "`bluetoothctl disconnect \(address)`"
        return end(.failure, reason, endsEveryLink: true, at: now)
    }

    private mutating func renewalFinished(at now: BootInstant) -> [Action] {
        session?.isSubscribed == true ? [] : endWithoutSubscription(at: now)
    }

    /// Ends a live link whose acquired notifications have ended, and which does not accept a
    /// subscription instead.
    private mutating func endWithoutRenewal(
        _ result: Result<[UInt8], BusError>, at now: BootInstant
    ) -> [Action] {
        let cause = if case .failure(let error) = result { ": \(error)" } else { "" }
        return end(
            .failure, "the notifications ended, and subscribing again failed\(cause)", at: now)
    }

    /// Ends a link that is being lost: bluetoothd answers the requests before it reports the loss.
    private mutating func endDyingLink(at now: BootInstant) -> [Action] {
        let ending = endingOfEarlyLoss()
        return end(ending.kind, ending.reason, at: now)
    }

    private mutating func endWithoutSubscription(at now: BootInstant) -> [Action] {
        let ending = endingWithoutSubscription()
        // bluetoothd accepts no other request while one is unanswered.
        if pairing.isUnanswered { failures.linkWasSilent() }
        let isStuck = pairing.isUnanswered && failures.silentLinks >= policy.silentLinkLimit
        return end(ending.kind, ending.reason, endsEveryLink: isStuck, at: now)
    }
}
