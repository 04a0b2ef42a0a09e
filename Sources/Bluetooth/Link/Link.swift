import DBus
import GatewayCore

/// The life of the link to one device, as a state machine without input or output.
///
/// ``LinkState`` has the states' meaning. The device is never given up; what happens to the bus, to
/// bluetoothd or to the adapter is no failure of the device's.
struct Link: Sendable {
    /// Something that bluetoothd is asked to do with the device.
    enum Operation: Hashable, Sendable {
        case connect
        case disconnect
        /// Forget the device and what is remembered of its services.
        case remove
        case converse(Conversation.Operation)
    }

    /// What is to be done, in order.
    enum Action: Sendable {
        /// Ask for this; the answer comes back with the number of the attempt.
        case perform(Operation, attempt: Int)
        /// Say this about the device.
        case report(DeviceReport.Content)
        /// Begin looking for devices anew, so that this one is heard if it is there.
        case lookAgain
        /// Somebody who looks for a fault may want to know this.
        case note(String)
    }

    enum State: Hashable, Sendable {
        /// Waits to be heard, or, once heard, for its turn.
        case wanted(isHeard: Bool)
        case connecting
        case resolving
        case subscribing
        case live
        /// Silent; it has been asked for something, or answered and will be asked again later.
        case stale(isAsked: Bool)
        /// Waits for the end of the link.
        case ending(Ending)
        case backOff(isHeard: Bool)
        case idle
    }

    /// Why a link is ended, or did not come about, sorted by what happens next.
    struct Ending: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case transient
            case failure
            case noRoom
            case missingService
        }

        let kind: Kind
        let reason: String
    }

    let address: BluetoothAddress
    let policy: LinkPolicy
    let profiles: [any GATTProfile]
    /// When the link wants its next ``timerFired(at:)``.
    var wakeTime: BootInstant? {
        [deadline, conversation?.wakeTime].compactMap { $0 }.min()
    }
    private(set) var state = State.wanted(isHeard: false)
    /// Counts the attempts, so that an answer to an earlier one is known as such.
    private(set) var attempt = 0
    var deadline: BootInstant?
    var conversation: Conversation?
    private var failures: LinkFailures
    private var lastAttempt: BootInstant?
    private var liveSince: BootInstant?
    private var isRenewed = false

    init(address: BluetoothAddress, profiles: [any GATTProfile], policy: LinkPolicy) {
        self.address = address
        self.profiles = profiles
        self.policy = policy
        failures = LinkFailures(backoff: policy.backoff)
    }

    /// Whether it waits for the adapter to have time for it.
    var wantsTurn: Bool { state == .wanted(isHeard: true) }

    /// Whether it keeps the adapter busy with making or ending a connection.
    var isBusy: Bool {
        switch state {
        case .connecting, .ending: true
        default: false
        }
    }

    /// Whether the device has to be looked for.
    var isSought: Bool {
        switch state {
        case .wanted, .backOff: true
        default: false
        }
    }

    /// Whether there is, or may be, a link.
    var isLinked: Bool {
        switch state {
        case .connecting, .resolving, .subscribing, .live, .stale, .ending: true
        case .wanted, .backOff, .idle: false
        }
    }
}

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

    private func carryOut(
        _ outcome: Conversation.Outcome?, at now: BootInstant
    ) -> [Action] {
        guard let outcome else { return [] }
        let reports = outcome.reports.map { Action.report($0) }
        return reports
            + (outcome.next.map { [.perform(.converse($0), attempt: attempt)] } ?? [])
    }
}

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
    private mutating func end(
        _ kind: Ending.Kind, _ reason: String, at now: BootInstant
    ) -> [Action] {
        let ending = Ending(kind: kind, reason: reason)
        return close(reason, at: now)
            + enter(.ending(ending), policy.disconnectSeconds, at: now)
            + [.perform(.disconnect, attempt: attempt)]
    }

    /// A link that was live has gone: that is no failure, the device may be back at once.
    private mutating func drop(_ reason: String, at now: BootInstant) -> [Action] {
        if let liveSince, now.seconds(since: liveSince) >= policy.healthySeconds {
            failures.reset()
        }
        return close(reason, at: now) + seek(isHeard: false, reason: reason) + [.lookAgain]
    }

    private mutating func fail(_ ending: Ending, at now: BootInstant) -> [Action] {
        if let liveSince, now.seconds(since: liveSince) >= policy.healthySeconds {
            failures.reset()
        }
        let actions = close(ending.reason, at: now)
        let wait = failures.wait(after: ending.kind, policy: policy)
        // A disturbed radio has heard the device a moment ago.
        state = .backOff(isHeard: ending.kind == .transient)
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

    private mutating func seek(isHeard: Bool, reason: String?) -> [Action] {
        state = .wanted(isHeard: isHeard)
        deadline = nil
        liveSince = nil
        return [.report(.link(.wanted, reason: reason))]
    }

    private mutating func enter(
        _ next: State, _ seconds: Double?, at now: BootInstant
    ) -> [Action] {
        state = next
        deadline = seconds.map { now.adding(seconds: $0) }
        return [.report(.link(next.shown, reason: next.reason))]
    }
}
