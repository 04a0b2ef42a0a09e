import GatewayCore
import Platform

/// From a link to nothing.
extension Link {
    /// bluetoothd has ended the link, or there is none to end.
    mutating func disconnectAnswered(at now: BootInstant) -> [Action] {
        guard case .ending(let ending) = state else { return [] }
        return fail(ending, at: now)
    }

    /// Nothing can be done at the moment, for a reason that is not the device's: the bus, bluetoothd or
    /// the adapter is gone, or its object.
    ///
    /// The reason is shown until another one is; it is none of the device's, and not kept.
    mutating func lose(_ reason: String, at now: BootInstant) -> [Action] {
        guard state != .idle else { return [] }
        let kept = lastReason
        defer { lastReason = kept }
        return lose(for: reason, at: now)
    }

    private mutating func lose(for reason: String, at now: BootInstant) -> [Action] {
        isOurs = false
        return close(reason, at: now) + seek(isHeard: false, reason: reason)
    }

    /// bluetoothd has forgotten the device, because it was not heard for too long.
    mutating func forgotten(at now: BootInstant) -> [Action] {
        guard state != .idle else { return [] }
        guard case .backOff(_, let endsWhenHeard) = state else {
            return lose(for: "not heard any more", at: now)
        }
        isOurs = false
        // An object that comes and goes does not make a pause shorter.
        state = .backOff(isHeard: false, endsWhenHeard: endsWhenHeard)
        return []
    }

    /// The gateway stops.
    mutating func stop(at now: BootInstant) -> [Action] {
        let last = isLinked ? leave() : []
        let actions = close("stopped", at: now)
        state = .idle
        deadline = nil
        return actions + [.report(.link(.idle, reason: nil))] + last
    }

    /// Ends the link if it was made here, and otherwise only what was asked over it.
    private func leave() -> [Action] {
        guard !isOurs else { return [.perform(.disconnect)] }
        return (session?.subscriptionPaths ?? []).map { .perform(.converse(.unsubscribe($0))) }
    }

    /// Asks for the end of the link, and goes on when it has come; a link that somebody else made is
    /// left to them, and tried once more after the pause.
    mutating func end(
        _ kind: Ending.Kind, _ reason: String, at now: BootInstant
    ) -> [Action] {
        let ending = Ending(kind: kind, reason: reason)
        guard isOurs else { return leave() + fail(ending, at: now) }
        return close(reason, at: now)
            + enter(.ending(ending), policy.disconnectSeconds, at: now)
            + [.perform(.disconnect)]
    }

    /// A link that was live has gone: that is no failure, the device may be back at once.
    mutating func drop(_ reason: String, at now: BootInstant) -> [Action] {
        close(reason, at: now) + seek(isHeard: false, reason: reason) + [.lookAgain]
    }

    mutating func fail(_ ending: Ending, at now: BootInstant) -> [Action] {
        let actions = close(ending.reason, at: now)
        let wasOurs = if case .ending = state { true } else { false }
        let wait = failures.wait(after: ending.kind, policy: policy)
        // A disturbed radio has heard the device a moment ago.
        state = .backOff(
            isHeard: ending.kind == .transient, endsWhenHeard: ending.endsWhenHeard)
        lastReason = ending.reason
        deadline = now.adding(seconds: wait)
        // Who made a link also decides whether the device is forgotten, which would end it.
        let isForgotten = wasOurs && failures.missingServices >= policy.missingServiceLimit
        if isForgotten { failures.serviceWasThere() }
        return actions
            + [.report(.link(.backOff, reason: ending.reason))]
            + (isForgotten ? [.perform(.remove)] : [])
            + (ending.kind == .transient ? [] : [.lookAgain])
    }

    private mutating func close(_ reason: String, at now: BootInstant) -> [Action] {
        guard session != nil else { return [] }
        session = nil
        if let liveSince, now.seconds(since: liveSince) >= policy.healthySeconds {
            failures.reset()
        }
        liveSince = nil
        return [.report(.closed(at: now, reason: reason))]
    }

    mutating func seek(isHeard: Bool, reason: String?) -> [Action] {
        state = .wanted(isHeard: isHeard)
        hasSaidToWait = false
        deadline = nil
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
