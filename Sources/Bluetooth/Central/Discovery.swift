package import DBus
import GatewayCore
package import Platform

/// Device discovery with one adapter, as a state machine.
///
/// bluetoothd keeps one discovery session for each client and adapter; it ends with either. A
/// device that was already seen may not be reported again during a session, so the session is
/// restarted when a device has to be seen again, and after a while in any case, because some
/// controllers silently stop scanning after hours.
///
/// Whether the adapter discovers is known from its property `Discovering`, not from the answer to
/// `StartDiscovery`: after a crash of bluetoothd the kernel still scans for its predecessor, and the
/// answer is `InProgress` although nothing will ever be reported.
package struct Discovery: Sendable {
    /// A call to the adapter.
    package enum Step: Hashable, Sendable {
        case setFilter
        case start
        case stop
    }

    /// The filter of a session.
    enum Filter: Hashable, Sendable {
        case full
        /// Nothing but the transport.
        case transport
        case noFilter
    }

    /// Why an adapter does not discover.
    package struct Failure: Hashable, Sendable {
        let reason: String
        /// The number of attempts in a row.
        let count: Int
    }

    private enum State: Hashable {
        case off
        case settingFilter
        case starting
        /// `StartDiscovery` was answered, but the adapter does not show it yet.
        case unconfirmed(since: BootInstant, until: BootInstant)
        case on(since: BootInstant)
        /// `isRepeated` when a stop is repeated because BlueZ was busy.
        case stopping(isRepeated: Bool)
    }

    /// The shortest and longest time between the start of a session and of the next one.
    static let sessionSeconds = (shortest: 1.0, longest: 120.0)
    /// The timeout of a step.
    static let answerSeconds = 2.0
    /// The time after which the adapter must show that it discovers: after a success, because some
    /// versions of bluetoothd show it late, and after `InProgress`.
    static let confirmationSeconds = (started: 1.0, inProgress: 0.25)
    /// The longest pause between the first attempts, and their number: the kernel continues the scan
    /// of a killed bluetoothd for at most 10.24 s (`DISCOV_LE_TIMEOUT`).
    static let firstPauses = (longest: 0.5, count: 14)
    /// The longest pause between two attempts.
    static let longestPause = 4.0
    /// A session that bluetoothd ends later than this was a good one.
    static let stableSeconds = 10.0

    private var state = State.off
    private var isRestartRequested = false
    private var failures: Backoff
    /// The sessions that bluetoothd has ended early.
    private var losses: Backoff
    private var earliestStart: BootInstant?

    /// The filter of the next session; a shorter one when bluetoothd has refused the others.
    private(set) var filter = Filter.full
    /// The number of filters that were refused.
    private(set) var refusedFilterCount = 0
    /// Why the adapter does not discover; nil while it does.
    private(set) var failure: Failure?

    /// The time of the next call of ``nextStep(isWanted:isDiscovering:at:)``.
    package private(set) var wakeTime: BootInstant?

    /// Makes a discovery that is off.
    package init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        failures = Backoff(first: 0.25, longest: Self.longestPause, random: random)
        losses = failures
    }

    /// Requests a new session, so that devices seen before are reported again.
    mutating func requestRestart() {
        isRestartRequested = true
    }

    /// The next step towards scanning or not scanning; nil when there is nothing to do now.
    ///
    /// `isDiscovering` is the property of the adapter; nil when it has none.
    package mutating func nextStep(
        isWanted: Bool, isDiscovering: Bool?, at now: BootInstant
    ) -> Step? {
        wakeTime = nil
        if let step = compare(isDiscovering, isWanted, at: now) { return step }
        switch state {
        case .off where isWanted: return begin(at: now)
        case .unconfirmed(_, let end):
            guard !isWanted || end <= now else {
                wakeTime = end
                return nil
            }
            if isWanted {
                note(failure: "the adapter does not start to discover")
                delayStart(by: pauseAfterFailure(), at: now)
            }
            return stop()
        case .on(let start):
            let limits = Self.sessionSeconds
            let end = start.adding(seconds: isRestartRequested ? limits.shortest : limits.longest)
            guard !isWanted || end <= now else {
                wakeTime = end
                return nil
            }
            // bluetoothd may be another one by now.
            if !isRestartRequested { filter = .full }
            return stop()
        case .off, .settingFilter, .starting, .stopping: return nil
        }
    }

    /// Compares the state with the property of the adapter; returns the step that ends a session
    /// which bluetoothd has ended.
    private mutating func compare(
        _ isDiscovering: Bool?, _ isWanted: Bool, at now: BootInstant
    ) -> Step? {
        switch state {
        case .unconfirmed(let start, _) where isDiscovering != false:
            failures.reset()
            failure = nil
            state = .on(since: start)
            return nil
        case .on(let start) where isDiscovering == false && isWanted:
            if now.seconds(since: start) >= Self.stableSeconds {
                losses.reset()
            } else {
                delayStart(by: losses.next(), at: now)
            }
            return stop()
        default: return nil
        }
    }

    /// Handles the answer to a step, with an error when it failed.
    ///
    /// - Returns: The next step of the sequence, if any.
    package mutating func answered(_ step: Step, _ error: BusError?, at now: BootInstant) -> Step? {
        switch (state, step) {
        case (.settingFilter, .setFilter):
            if let error { return filterFailed(error, at: now) }
            state = .starting
            return .start
        case (.starting, .start):
            if let error, !error.isInProgress { return fail(error, at: now) }
            isRestartRequested = false
            let seconds = Self.confirmationSeconds
            state = .unconfirmed(
                since: now,
                until: now.adding(seconds: error == nil ? seconds.started : seconds.inProgress))
            if error == nil { delayStart(by: Self.sessionSeconds.shortest, at: now) }
            return nil
        case (.stopping(isRepeated: false), .stop) where error?.isInProgress == true:
            // The kernel was between two scan windows. Without another start and stop bluetoothd
            // would continue to believe that it scans (bleak #2021, fixed in BlueZ 5.88).
            state = .stopping(isRepeated: true)
            return .start
        case (.stopping(isRepeated: true), .start): return .stop
        case (.stopping, .stop):
            state = .off
            return nil
        default: return nil
        }
    }

    private mutating func begin(at now: BootInstant) -> Step? {
        if let earliestStart, earliestStart > now {
            wakeTime = earliestStart
            return nil
        }
        guard filter != .noFilter else {
            state = .starting
            return .start
        }
        state = .settingFilter
        return .setFilter
    }

    /// Tries a shorter filter when bluetoothd refuses one.
    private mutating func filterFailed(_ error: BusError, at now: BootInstant) -> Step? {
        guard error.isRefusal else { return fail(error, at: now) }
        refusedFilterCount += 1
        filter = filter == .full ? .transport : .noFilter
        guard filter == .noFilter else { return .setFilter }
        state = .starting
        return .start
    }

    private mutating func stop() -> Step {
        state = .stopping(isRepeated: false)
        return .stop
    }

    private mutating func note(failure reason: String) {
        failure = Failure(reason: reason, count: (failure?.count ?? 0) + 1)
    }

    private mutating func pauseAfterFailure() -> Double {
        let pause = failures.next()
        let isFirst = (failure?.count ?? 0) <= Self.firstPauses.count
        return isFirst ? min(pause, Self.firstPauses.longest) : pause
    }

    private mutating func fail(_ error: BusError, at now: BootInstant) -> Step? {
        note(failure: "\(error)")
        state = .off
        delayStart(by: pauseAfterFailure(), at: now)
        wakeTime = earliestStart
        return nil
    }

    private mutating func delayStart(by seconds: Double, at now: BootInstant) {
        let time = now.adding(seconds: seconds)
        earliestStart = max(time, earliestStart ?? time)
    }
}

extension Discovery.Step {
    /// The D-Bus call of the step.
    package func call(on path: String, filter: [String: BusValue]) -> BlueZCall {
        let (member, body): (String, [BusValue]) =
            switch self {
            case .setFilter: ("SetDiscoveryFilter", [.properties(filter)])
            case .start: ("StartDiscovery", [])
            case .stop: ("StopDiscovery", [])
            }
        return BlueZCall(
            path: path, interface: BlueZName.adapter, member: member, body: body,
            timeoutSeconds: Discovery.answerSeconds)
    }
}

extension BusError {
    /// Whether BlueZ reports that the operation is already in progress.
    var isInProgress: Bool {
        if case .remote(name: "org.bluez.Error.InProgress", _) = self { true } else { false }
    }

    /// Whether bluetoothd refuses the arguments, or the method is unknown.
    var isRefusal: Bool {
        guard case .remote(let name, _) = self else { return false }
        let refusals = [
            "org.bluez.Error.InvalidArguments", "org.bluez.Error.NotSupported",
            "org.bluez.Error.NotPermitted", "org.bluez.Error.NotAuthorized",
            "org.bluez.Error.Failed", "org.freedesktop.DBus.Error.UnknownMethod",
            "org.freedesktop.DBus.Error.InvalidArgs", "org.freedesktop.DBus.Error.AccessDenied",
        ]
        return refusals.contains(name)
    }
}
