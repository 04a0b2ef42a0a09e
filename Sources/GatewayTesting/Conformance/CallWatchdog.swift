import FoundationEssentials
import GatewayCore
import Glibc
import Platform
import Synchronization

/// A thread that ends the program when a call of a plugin does not return.
///
/// Nothing can end the call itself, and a test that hangs names nothing.
final class CallWatchdog: Sendable {
    /// The current call; nil between calls.
    private struct Call {
        let deadline: BootInstant
        let message: String
    }

    private final class State: Sendable {
        let call = Mutex<Call?>(nil)
    }

    /// How often the thread looks, in milliseconds.
    private static let intervalMilliseconds: Int32 = 100

    private let state = State()
    private let clock: SystemClock
    private let limitSeconds: Double
    /// The write end of a pipe; closing it ends the thread.
    private let lifeline: Int32

    /// Starts the thread.
    init(clock: SystemClock) {
        self.clock = clock
        limitSeconds = Self.limitSeconds()
        var ends: [Int32] = [-1, -1]
        // Without a pipe nothing is watched; the calls are the same.
        guard pipe(&ends) == 0 else {
            lifeline = -1
            return
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        lifeline = ends[1]
        let (state, end) = (state, ends[0])
        SystemThread.start(name: "call watchdog") {
            Self.watch(state, until: end, clock: clock)
        }
    }

    deinit {
        if lifeline >= 0 { close(lifeline) }
    }

    /// Starts the time of a call; the message is printed when it exceeds the limit.
    func callStarted(_ message: String) {
        let call = Call(deadline: clock.now().adding(seconds: limitSeconds), message: message)
        state.call.withLock { $0 = call }
    }

    /// Ends the time of the call.
    func callEnded() {
        state.call.withLock { $0 = nil }
    }

    /// The value of `PULSEGATE_CONFORMANCE_SECONDS`, for a debugger or a slow machine; 10 without.
    private static func limitSeconds() -> Double {
        ProcessInfo.processInfo.environment["PULSEGATE_CONFORMANCE_SECONDS"]
            .flatMap { Double($0) } ?? 10
    }

    private static func watch(_ state: State, until end: Int32, clock: SystemClock) {
        defer { close(end) }
        var polls = [pollfd(fd: end, events: 0, revents: 0)]
        while poll(&polls, 1, intervalMilliseconds) <= 0 {
            let late = state.call.withLock { call in
                call.flatMap { $0.deadline < clock.now() ? $0.message : nil }
            }
            guard let late else { continue }
            let text = Array("pulsegate conformance: \(late)\n".utf8)
            _ = write(STDERR_FILENO, text, text.count)
            abort()
        }
    }
}
