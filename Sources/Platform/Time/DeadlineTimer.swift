import Synchronization

/// A timer with one deadline, which can be changed.
///
/// An obsolete sleep is cancelled, because it would wake an idle machine.
package final class DeadlineTimer: Sendable {
    /// The slack in seconds: a deadline that is later by less does not change the timer.
    ///
    /// Every value of a device postpones its silence deadline. One early wake-up costs less than a
    /// new timer for each value.
    static let slackSeconds = 10.0

    private struct State {
        var time: BootInstant?
        /// The number of changes, so that none is missed.
        var number: UInt64 = 0
        var hasEnded = false
        var waiter: CheckedContinuation<Void, Never>?

        mutating func change(to time: BootInstant?) -> CheckedContinuation<Void, Never>? {
            self.time = time
            number += 1
            return takeWaiter()
        }

        mutating func takeWaiter() -> CheckedContinuation<Void, Never>? {
            defer { waiter = nil }
            return waiter
        }

        /// Returns whether the present deadline is good enough for another one.
        func covers(_ wanted: BootInstant?) -> Bool {
            guard let time else { return wanted == nil }
            guard let wanted else { return false }
            return time <= wanted && wanted <= time.adding(seconds: DeadlineTimer.slackSeconds)
        }
    }

    private let state = Mutex(State())

    /// Makes a timer without a deadline.
    package init() {}

    /// Sets the deadline, which may fire earlier by the slack; nil stops the timer.
    package func set(_ wanted: BootInstant?) {
        let waiter = state.withLock { state in
            state.covers(wanted) ? nil : state.change(to: wanted)
        }
        waiter?.resume()
    }

    /// Ends ``run(on:wake:)``.
    package func end() {
        let waiter = state.withLock { state in
            state.hasEnded = true
            return state.change(to: nil)
        }
        waiter?.resume()
    }

    /// Calls `wake` at each deadline until ``end()`` or until the task is cancelled.
    ///
    /// The timer then has no deadline until it is set again.
    package func run(on clock: any BootClock, wake: @Sendable () async -> Void) async {
        await withTaskCancellationHandler {
            while let (time, number) = next() {
                if let time {
                    if await sleep(until: time, number, on: clock) { await wake() }
                } else {
                    await change(after: number)
                }
            }
        } onCancel: {
            end()
        }
    }

    private func next() -> (time: BootInstant?, number: UInt64)? {
        state.withLock { $0.hasEnded ? nil : ($0.time, $0.number) }
    }

    /// Sleeps until a deadline; false if the timer was changed before.
    private func sleep(
        until time: BootInstant, _ number: UInt64, on clock: any BootClock
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                (try? await clock.sleep(until: time)) != nil && self.fire(number)
            }
            await change(after: number)
            group.cancelAll()
            return await group.next() ?? false
        }
    }

    /// Clears the deadline; false if the timer was changed since the sleep started.
    private func fire(_ number: UInt64) -> Bool {
        let (isDue, waiter) = state.withLock { state in
            state.number == number ? (true, state.change(to: nil)) : (false, nil)
        }
        waiter?.resume()
        return isDue
    }

    private func change(after number: UInt64) async {
        await withCheckedContinuation { continuation in
            let hasChanged = state.withLock { state in
                guard state.number == number else { return true }
                state.waiter = continuation
                return false
            }
            if hasChanged { continuation.resume() }
        }
    }
}
