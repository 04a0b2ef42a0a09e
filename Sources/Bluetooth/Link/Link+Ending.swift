import GatewayCore
import Platform

/// Ending a link.
extension Link {
    /// Handles the answer to `Disconnect`: the link has ended.
    mutating func disconnectAnswered(at now: BootInstant) -> [Action] {
        guard case .ending(let ending) = state else { return [] }
        return fail(ending, at: now)
    }

    /// Interrupts the link for a reason that is not the device's: the bus, bluetoothd or the
    /// adapter is gone.
    ///
    /// The reason is reported but not stored as the last reason of the device.
    mutating func interrupt(_ reason: String, at now: BootInstant) -> [Action] {
        guard state != .idle else { return [] }
        let previousReason = lastReason
        defer { lastReason = previousReason }
        return interrupt(for: reason, at: now)
    }

    private mutating func interrupt(for reason: String, at now: BootInstant) -> [Action] {
        isOwnLink = false
        return close(reason, at: now) + waitForDevice(isSeen: false, reason: reason)
    }

    /// Handles the removal of the device object: the device was out of range for too long.
    mutating func deviceRemoved(at now: BootInstant) -> [Action] {
        guard state != .idle else { return [] }
        guard case .backOff(_, let endsWhenSeen) = state else {
            return interrupt(for: "no longer in range", at: now)
        }
        isOwnLink = false
        // An object that comes and goes does not shorten the pause.
        state = .backOff(isSeen: false, endsWhenSeen: endsWhenSeen)
        return []
    }

    /// The gateway stops.
    mutating func stop(at now: BootInstant) -> [Action] {
        let last = isLinked ? releaseLink() : []
        let actions = close("stopped", at: now)
        state = .idle
        deadline = nil
        isOwnLink = false
        return actions + [.report(.link(.idle, reason: nil))] + last
    }

    /// Disconnects a link that was made here; otherwise only ends the subscriptions.
    private func releaseLink() -> [Action] {
        guard !isOwnLink else { return [.perform(.disconnect)] }
        return (session?.subscriptionPaths ?? []).map { .perform(.gatt(.unsubscribe($0))) }
    }

    /// Disconnects the link and continues when it has ended; a link of another program is left to
    /// it and tried again after the pause, unless every link is to be ended.
    mutating func end(
        _ kind: Ending.Kind, _ reason: String, endsEveryLink: Bool = false, at now: BootInstant
    ) -> [Action] {
        let ending = Ending(kind: kind, reason: reason)
        guard isOwnLink || endsEveryLink else { return releaseLink() + fail(ending, at: now) }
        return close(reason, at: now)
            + enter(.ending(ending), policy.disconnectSeconds, at: now)
            + [.perform(.disconnect)]
    }

    /// Handles the loss of a live link: not a failure, the device may be back immediately.
    mutating func linkLost(_ reason: String, at now: BootInstant) -> [Action] {
        close(reason, at: now) + waitForDevice(isSeen: false, reason: reason) + [.restartDiscovery]
    }

    mutating func fail(_ ending: Ending, at now: BootInstant) -> [Action] {
        let actions = close(ending.reason, at: now)
        let wasOwnLink = if case .ending = state { true } else { false }
        let wait = failures.wait(after: ending.kind, policy: policy)
        isTurnedAway = ending.kind == .adapterFull
        lastFailure = ending.kind
        // After a transient failure the device was seen a moment ago.
        state = .backOff(
            isSeen: ending.kind == .transient || isTurnedAway,
            endsWhenSeen: ending.endsWhenSeen)
        lastReason = ending.reason
        deadline = now.adding(seconds: wait)
        // Only the device of our own link is removed from bluetoothd, which ends the link.
        let isForgotten = wasOwnLink && failures.missingServices >= policy.missingServiceLimit
        if isForgotten { failures.serviceFound() }
        return actions + reportPairing(ending)
            + [.report(.link(.backOff, reason: ending.reason))] + reportFailures(ending)
            + (isForgotten ? [.perform(.remove)] : [])
            + (ending.kind == .transient ? [] : [.restartDiscovery])
    }

    /// Reports failures that repeat; ``reportPairing(_:)`` has reported a missing pairing.
    private func reportFailures(_ ending: Ending) -> [Action] {
        guard ![.unavailable, .adapterFull, .unpaired].contains(ending.kind) else { return [] }
        let (count, first) = (failures.consecutive, policy.reportedFailures)
        guard count == first || (count > first && count.isPowerOfTen) else { return [] }
        return [.keepsFailing(ending.reason, count: count)]
    }

    private mutating func close(_ reason: String, at now: BootInstant) -> [Action] {
        guard session != nil else { return [] }
        session = nil
        lastLinkEnd = now
        if let liveSince, now.seconds(since: liveSince) >= policy.healthySeconds {
            failures.reset()
        }
        liveSince = nil
        return [.report(.closed(at: now, reason: reason))]
    }

    mutating func waitForDevice(isSeen: Bool, reason: String?) -> [Action] {
        if !isBackingOff { lastFailure = nil }
        state = .wanted(isSeen: isSeen)
        reportedWait = nil
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
