import GatewayCore
import Platform
import Synchronization

/// Reports the state of a run to the service manager: its start, reloads, status and stop.
///
/// It does nothing when no service manager has started the gateway.
final class ServiceReporter: Sendable {
    /// The shortest time between two changes of the status, in seconds.
    static let statusSeconds = 30.0

    private struct State {
        var status = ""
        var isReady = false
        var isStopping = false
        var reloads = 0
    }

    private let environment: ServiceEnvironment
    private let state = Mutex(State())

    init(_ environment: ServiceEnvironment) {
        self.environment = environment
    }

    /// Reports that the gateway runs.
    func ready(status: String) {
        state.withLock { state in
            state.status = status
            state.isReady = true
            // A reload that has begun before ends with the same message.
            if state.reloads == 0 { environment.send(.ready(status: status)) }
        }
    }

    /// Reports the beginning or the end of a reload, whatever its outcome.
    func reload(begins: Bool) {
        // Sent with the lock held: the messages must not pass each other.
        state.withLock { state in
            state.reloads += begins ? 1 : -1
            guard state.isReady, !state.isStopping else { return }
            if begins {
                let time = SystemTime.monotonicMicroseconds()
                environment.send(.reloading(monotonicMicroseconds: time))
            } else if state.reloads == 0 {
                environment.send(.ready(status: state.status))
            }
        }
    }

    /// Reports that the gateway stops; nothing is reported afterwards.
    func stopping() {
        state.withLock { state in
            guard !state.isStopping else { return }
            state.isStopping = true
            environment.send(.stopping)
        }
    }

    /// Reports the status whenever it has changed, until the task is cancelled.
    func followStatus(on clock: any BootClock, _ status: @Sendable () async -> String) async {
        guard environment.socket != nil else { return }
        while (try? await clock.sleep(seconds: Self.statusSeconds)) != nil {
            report(status: await status())
        }
    }

    private func report(status: String) {
        state.withLock { state in
            guard state.isReady, !state.isStopping, status != state.status else { return }
            state.status = status
            environment.send(.status(status))
        }
    }
}

extension GatewayStatus {
    /// The status in one line, without people and values:
    /// `devices: 1 of 2 connected; sinks: store ok, mine failing`.
    var line: String {
        let connected = devices.count { $0.link == .live || $0.link == .stale }
        let failing = sources.filter { $0.failure != nil }.map(\.name)
        var parts = ["devices: \(connected) of \(devices.count) connected"]
        if !failing.isEmpty { parts.append("sources failing: \(failing.joined(separator: ", "))") }
        let states = sinks.map { "\($0.name) \($0.failure == nil ? "ok" : "failing")" }
        if !states.isEmpty { parts.append("sinks: \(states.joined(separator: ", "))") }
        if journal.failure != nil { parts.append("journal failing") }
        return LogFormat.cut(parts.joined(separator: "; "))
    }
}
