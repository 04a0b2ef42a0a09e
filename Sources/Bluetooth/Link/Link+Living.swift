import DBus
import GatewayCore
import Platform

/// While there is a link.
extension Link {
    /// Something of the session was answered with a value, or refused.
    mutating func answered(
        _ operation: GATTSession.Operation, _ result: Result<[UInt8], BusError>,
        at now: BootInstant
    ) -> [Action] {
        let value = try? result.get()
        var actions: [Action] = []
        if case .failure(let error) = result {
            actions.append(.note("cannot \(operation.words): \(error)"))
        }
        actions +=
            session?.finished(operation, with: value, isBusy: result.isBusy, at: now) ?? []
        let isReady = session?.isReady == true
        switch state {
        case .subscribing where isReady: actions += settle(at: now)
        // What BlueZ is too busy for is asked again.
        case .stale(isAsked: true) where isReady || !result.isBusy:
            actions += probeAnswered(result.isFromDevice, at: now)
        case .stale(isAsked: false) where isReady: actions += renewed(at: now)
        default: break
        }
        return actions
    }

    /// A characteristic has a new value.
    mutating func received(_ value: [UInt8], from path: String, at now: BootInstant) -> [Action] {
        told(session?.received(value, from: path, at: now) ?? [], at: now)
    }

    /// bluetoothd tells the charge of the battery.
    mutating func battery(_ percentage: UInt8, at now: BootInstant) -> [Action] {
        told(session?.battery(percentage, at: now) ?? [], at: now)
    }

    /// Something came without being asked for: if it can be read, the device is not silent.
    private mutating func told(_ actions: [Action], at now: BootInstant) -> [Action] {
        let hasSpoken = actions.contains { action in
            switch action {
            case .report(.readings), .report(.seen): true
            default: false
            }
        }
        guard hasSpoken else { return actions }
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

    /// The time that was asked for has come.
    mutating func timerFired(at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        if let wakeTime = session?.wakeTime, wakeTime <= now {
            actions += session?.wake(at: now) ?? []
        }
        guard let due = deadline, due <= now else { return actions }
        deadline = nil
        return actions + deadlineCame(at: now)
    }

    private mutating func deadlineCame(at now: BootInstant) -> [Action] {
        switch state {
        case .connecting: return end(.failure, "no answer to a connection", at: now)
        case .resolving where !areServicesLate:
            return end(.failure, "its services were not found in time", at: now)
        case .resolving:
            let names = profiles.map(\.name).joined(separator: ", ")
            return end(.missingService, "it offers no service for \(names)", at: now)
        case .live: return fallSilent(at: now)
        case .stale(isAsked: true), .subscribing:
            return end(.failure, "silent, and does not answer", at: now)
        case .stale(isAsked: false): return probe(at: now)
        case .ending(let ending): return fail(ending, at: now)
        case .backOff(let isHeard, _): return seek(isHeard: isHeard, reason: nil)
        case .wanted, .idle: return []
        }
    }

    /// Everything that was asked at the beginning is answered.
    mutating func settle(at now: BootInstant) -> [Action] {
        guard session?.isSubscribed == true else { return endRefused(at: now) }
        liveSince = now
        state = .live
        expectValues(after: now)
        return [.report(.link(.live, reason: nil))]
    }

    private mutating func expectValues(after now: BootInstant) {
        deadline = session?.silenceLimitSeconds.map { now.adding(seconds: $0) }
    }

    private mutating func fallSilent(at now: BootInstant) -> [Action] {
        [.report(.stale(at: now, reason: "nothing that can be read came for too long"))]
            + probe(at: now)
    }

    private mutating func probe(at now: BootInstant) -> [Action] {
        guard let actions = session?.probe() else {
            return end(.failure, "silent, and cannot be asked", at: now)
        }
        state = .stale(isAsked: true)
        deadline = now.adding(seconds: policy.operationSeconds)
        return actions
    }

    private mutating func probeAnswered(_ isThere: Bool, at now: BootInstant) -> [Action] {
        guard isThere else { return end(.failure, "silent, and does not answer", at: now) }
        state = .stale(isAsked: false)
        deadline = now.adding(seconds: policy.probeSeconds)
        guard !isRenewed else { return [] }
        isRenewed = true
        return session?.renew() ?? []
    }

    private mutating func renewed(at now: BootInstant) -> [Action] {
        session?.isSubscribed == true ? [] : endRefused(at: now)
    }

    private mutating func endRefused(at now: BootInstant) -> [Action] {
        end(.refused, "it does not let itself be subscribed to", at: now)
    }
}
