import DBus
import GatewayCore
import Platform

/// Looking for devices with one adapter, as a state machine.
///
/// bluetoothd keeps one session for each client and adapter; it dies with either. A device that was
/// heard already may not be told again while a session goes on, so a session is begun anew when a
/// device has to be heard once more; and after a while in any case, for some controllers stop listening
/// after hours without a word.
struct Discovery: Sendable {
    /// Something to ask the adapter.
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
        /// `isRepeated` when a stop that BlueZ was too busy for is tried once more.
        case stopping(isRepeated: Bool)
    }

    /// Between the start of a session and the next one, at least and at most.
    static let sessionSeconds = (shortest: 1.0, longest: 120.0)
    /// How long the answer to a step may take.
    static let answerSeconds = 5.0

    private var state = State.off
    private var isAskedAnew = false
    private var failures = Backoff(first: 1, longest: 60)
    private var earliestStart: BootInstant?

    /// When it wants to be steered again.
    private(set) var wakeTime: BootInstant?

    /// The session is to be begun anew, so that devices which were heard before are heard again.
    mutating func beginAnew() {
        isAskedAnew = true
    }

    /// Does what brings it nearer to looking, or not looking.
    mutating func steer(isWanted: Bool, at now: BootInstant) -> Step? {
        wakeTime = nil
        switch state {
        case .off where isWanted: return begin(at: now)
        case .on(let start):
            let limits = Self.sessionSeconds
            let end = start.adding(seconds: isAskedAnew ? limits.shortest : limits.longest)
            guard !isWanted || end <= now else {
                wakeTime = end
                return nil
            }
            state = .stopping(isRepeated: false)
            return .stop
        case .off, .settingFilter, .starting, .stopping: return nil
        }
    }

    /// The adapter has answered a step, with an error when it was refused.
    ///
    /// - Returns: The next step of those that belong together.
    mutating func answered(_ step: Step, _ error: BusError?, at now: BootInstant) -> Step? {
        switch (state, step) {
        case (.settingFilter, .setFilter):
            guard error == nil else { return fail(at: now) }
            state = .starting
            return .start
        case (.starting, .start):
            guard error == nil || error?.isInProgress == true else { return fail(at: now) }
            failures.reset()
            isAskedAnew = false
            state = .on(since: now)
            earliestStart = now.adding(seconds: Self.sessionSeconds.shortest)
            return nil
        case (.stopping(isRepeated: false), .stop) where error?.isInProgress == true:
            // The kernel was between two windows of listening. Without one more round bluetoothd
            // would go on believing that it listens (bleak #2021, mended in BlueZ 5.88).
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
    /// The step in BlueZ's words.
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
    /// Whether BlueZ is busy with the same thing.
    var isInProgress: Bool {
        if case .remote(name: "org.bluez.Error.InProgress", _) = self { true } else { false }
    }
}
