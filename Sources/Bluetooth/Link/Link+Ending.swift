import GatewayCore

/// From a link to nothing.
extension Link {
    /// bluetoothd has ended the link, or there is none to end.
    mutating func disconnectAnswered(at now: BootInstant) -> [Action] {
        guard case .ending(let ending) = state else { return [] }
        return fail(ending, at: now)
    }

    /// Nothing can be done at the moment, for a reason that is not the device's: the bus, bluetoothd or
    /// the adapter is gone, or its object.
    mutating func lose(_ reason: String, at now: BootInstant) -> [Action] {
        guard state != .idle else { return [] }
        return close(reason, at: now) + seek(isHeard: false, reason: reason)
    }

    /// The gateway stops.
    mutating func stop(at now: BootInstant) -> [Action] {
        let wasLinked = isLinked
        let actions = close("stopped", at: now)
        state = .idle
        deadline = nil
        return actions + (wasLinked ? [.perform(.disconnect, attempt: attempt)] : [])
    }

    /// Asks for the end of the link, and goes on when it has come.
    mutating func end(
        _ kind: Ending.Kind, _ reason: String, at now: BootInstant
    ) -> [Action] {
        let ending = Ending(kind: kind, reason: reason)
        return close(reason, at: now)
            + enter(.ending(ending), policy.disconnectSeconds, at: now)
            + [.perform(.disconnect, attempt: attempt)]
    }

    /// A link that was live has gone: that is no failure, the device may be back at once.
    mutating func drop(_ reason: String, at now: BootInstant) -> [Action] {
        if let liveSince, now.seconds(since: liveSince) >= policy.healthySeconds {
            failures.reset()
        }
        return close(reason, at: now) + seek(isHeard: false, reason: reason) + [.lookAgain]
    }

    mutating func fail(_ ending: Ending, at now: BootInstant) -> [Action] {
        if let liveSince, now.seconds(since: liveSince) >= policy.healthySeconds {
            failures.reset()
        }
        let actions = close(ending.reason, at: now)
        let wait = failures.wait(after: ending.kind, policy: policy)
        // A disturbed radio has heard the device a moment ago.
        state = .backOff(isHeard: ending.kind == .transient)
        lastReason = ending.reason
        deadline = now.adding(seconds: wait)
        let isForgotten = failures.missingServices >= policy.missingServiceLimit
        if isForgotten { failures.serviceWasThere() }
        return actions
            + [.report(.link(.backOff, reason: ending.reason))]
            + (isForgotten ? [.perform(.remove, attempt: attempt)] : [])
            + (ending.kind == .transient ? [] : [.lookAgain])
    }

    private mutating func close(_ reason: String, at now: BootInstant) -> [Action] {
        guard var open = conversation else { return [] }
        conversation = nil
        let reports = open.close(at: now) + [.closed(at: now, reason: reason)]
        return reports.map { .report($0) }
    }

    mutating func seek(isHeard: Bool, reason: String?) -> [Action] {
        state = .wanted(isHeard: isHeard)
        deadline = nil
        liveSince = nil
        lastReason = reason ?? lastReason
        return [.report(.link(.wanted, reason: lastReason))]
    }

    mutating func enter(
        _ next: State, _ seconds: Double?, at now: BootInstant
    ) -> [Action] {
        state = next
        deadline = seconds.map { now.adding(seconds: $0) }
        return [.report(.link(next.shown, reason: next.reason))]
    }
}
