import DBus
import GatewayCore
import Platform

/// Device discovery with one adapter, as a state machine.
///
/// bluetoothd keeps one discovery session for each client and adapter; it ends with either. A
/// device that was already seen may not be reported again during a session, so the session is
/// restarted when a device has to be seen again, and after a while in any case, because some
/// controllers silently stop scanning after hours.
struct Discovery: Sendable {
    /// A call to the adapter.
    enum Step: Hashable, Sendable {
        case setFilter
        case start
        case stop
    }

    private enum State: Hashable {
        case off
        case settingFilter
        case starting
        case on(since: BootInstant)
        /// `isRepeated` when a stop is repeated because BlueZ was busy.
        case stopping(isRepeated: Bool)
    }

    /// The shortest and longest time between the start of a session and of the next one.
    static let sessionSeconds = (shortest: 1.0, longest: 120.0)
    /// The timeout of a step.
    static let answerSeconds = 5.0

    private var state = State.off
    private var isRestartRequested = false
    private var failures = Backoff(first: 1, longest: 60)
    private var earliestStart: BootInstant?

    /// The time of the next call of ``nextStep(isWanted:at:)``.
    private(set) var wakeTime: BootInstant?

    /// Requests a new session, so that devices seen before are reported again.
    mutating func requestRestart() {
        isRestartRequested = true
    }

    /// The next step towards scanning or not scanning; nil when there is nothing to do now.
    mutating func nextStep(isWanted: Bool, at now: BootInstant) -> Step? {
        wakeTime = nil
        switch state {
        case .off where isWanted: return begin(at: now)
        case .on(let start):
            let limits = Self.sessionSeconds
            let end = start.adding(seconds: isRestartRequested ? limits.shortest : limits.longest)
            guard !isWanted || end <= now else {
                wakeTime = end
                return nil
            }
            state = .stopping(isRepeated: false)
            return .stop
        case .off, .settingFilter, .starting, .stopping: return nil
        }
    }

    /// Handles the answer to a step, with an error when it failed.
    ///
    /// - Returns: The next step of the sequence, if any.
    mutating func answered(_ step: Step, _ error: BusError?, at now: BootInstant) -> Step? {
        switch (state, step) {
        case (.settingFilter, .setFilter):
            guard error == nil else { return fail(at: now) }
            state = .starting
            return .start
        case (.starting, .start):
            guard error == nil || error?.isInProgress == true else { return fail(at: now) }
            failures.reset()
            isRestartRequested = false
            state = .on(since: now)
            earliestStart = now.adding(seconds: Self.sessionSeconds.shortest)
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
        state = .settingFilter
        return .setFilter
    }

    private mutating func fail(at now: BootInstant) -> Step? {
        state = .off
        earliestStart = now.adding(seconds: failures.next())
        wakeTime = earliestStart
        return nil
    }
}

extension Discovery.Step {
    /// The D-Bus call of the step.
    func call(on path: String, filter: [String: BusValue]) -> BlueZCall {
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
}
