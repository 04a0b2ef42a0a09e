import DBus
import GatewayCore

/// While there is a link.
extension Link {
    /// Something of the conversation was answered with a value, or refused.
    mutating func answered(
        _ operation: Conversation.Operation, _ result: Result<[UInt8], BusError>,
        at now: BootInstant
    ) -> [Action] {
        let value = try? result.get()
        var actions: [Action] = []
        if case .failure(let error) = result {
            actions.append(.note("cannot \(operation.words): \(error)"))
        }
        let outcome = conversation?.finished(
            operation, with: value, isBusy: result.isBusy, at: now)
        actions += carryOut(outcome, at: now)
        switch state {
        case .subscribing where conversation?.isReady == true: actions += settle(at: now)
        case .stale(isAsked: true): actions += probeAnswered(value != nil, at: now)
        default: break
        }
        return actions
    }

    /// A characteristic has a new value.
    mutating func received(_ value: [UInt8], from path: String, at now: BootInstant) -> [Action] {
        let actions = carryOut(conversation?.received(value, from: path, at: now), at: now)
        let isMeasurement = actions.contains { action in
            if case .report(.readings) = action { true } else { false }
        }
        guard isMeasurement else { return actions }
        switch state {
        case .live: expectValues(after: now)
        case .stale:
            state = .live
            isRenewed = false
            expectValues(after: now)
        default: break
        }
        return actions
    }

    /// bluetoothd tells the charge of the battery.
    mutating func battery(_ percentage: UInt8, at now: BootInstant) -> [Action] {
        carryOut(conversation?.battery(percentage, at: now), at: now)
    }

    /// The time that was asked for has come.
    mutating func timerFired(at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        if let wakeTime = conversation?.wakeTime, wakeTime <= now {
            actions += carryOut(conversation?.wake(at: now), at: now)
        }
        guard let due = deadline, due <= now else { return actions }
        deadline = nil
        return actions + deadlineCame(at: now)
    }

    private mutating func deadlineCame(at now: BootInstant) -> [Action] {
        switch state {
        case .connecting: return end(.failure, "no answer to a connection", at: now)
        case .resolving:
            let names = profiles.map(\.name).joined(separator: ", ")
            return end(.missingService, "it offers no service for \(names)", at: now)
        case .live: return fallSilent(at: now)
        case .stale(isAsked: true), .subscribing:
            return end(.failure, "silent, and does not answer", at: now)
        case .stale(isAsked: false): return probe(at: now)
        case .ending(let ending): return fail(ending, at: now)
        case .backOff(let isHeard): return seek(isHeard: isHeard, reason: nil)
        case .wanted, .idle: return []
        }
    }

    private mutating func settle(at now: BootInstant) -> [Action] {
        guard conversation?.isSubscribed == true else {
            return end(.failure, "it does not let itself be subscribed to", at: now)
        }
        liveSince = now
        state = .live
        expectValues(after: now)
        return [.report(.link(.live, reason: nil))]
    }

    private mutating func expectValues(after now: BootInstant) {
        let limit = profiles.compactMap(\.silenceLimitSeconds).min()
        deadline = limit.map { now.adding(seconds: $0) }
    }

    private mutating func fallSilent(at now: BootInstant) -> [Action] {
        [.report(.stale(at: now, reason: "nothing was measured for too long"))] + probe(at: now)
    }

    private mutating func probe(at now: BootInstant) -> [Action] {
        guard let question = conversation?.probe() else {
            return end(.failure, "silent, and cannot be asked", at: now)
        }
        state = .stale(isAsked: true)
        deadline = now.adding(seconds: policy.operationSeconds)
        return [.perform(.converse(question), attempt: attempt)]
    }

    private mutating func probeAnswered(_ isThere: Bool, at now: BootInstant) -> [Action] {
        guard isThere else { return end(.failure, "silent, and does not answer", at: now) }
        state = .stale(isAsked: false)
        deadline = now.adding(seconds: policy.probeSeconds)
        guard !isRenewed else { return [] }
        isRenewed = true
        return carryOut(Conversation.Outcome(next: conversation?.renew()), at: now)
    }

    func carryOut(
        _ outcome: Conversation.Outcome?, at now: BootInstant
    ) -> [Action] {
        guard let outcome else { return [] }
        let reports = outcome.reports.map { Action.report($0) }
        return reports
            + (outcome.next.map { [.perform(.converse($0), attempt: attempt)] } ?? [])
    }
}
