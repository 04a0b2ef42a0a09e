package import Platform
import Synchronization

/// The one moment that somebody wants to be woken at; another one takes its place.
///
/// A sleep that nobody needs any more is ended: left alone it would wake a machine that has nothing
/// to do.
package final class DeadlineTimer: Sendable {
    /// A moment that is only so much later, in seconds, leaves the earlier one as it is.
    ///
    /// Every value of a device puts the end of its silence off. To be woken once too early costs less
    /// than to set the alarm anew each time.
    static let slackSeconds = 10.0

    private struct State {
        var time: BootInstant?
        /// Counts what has become of it, so that a change cannot be missed.
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

        /// Whether what is set will do for somebody who wants to be woken then.
        func suits(_ wanted: BootInstant?) -> Bool {
            guard let time else { return wanted == nil }
            guard let wanted else { return false }
            return time <= wanted && wanted <= time.adding(seconds: DeadlineTimer.slackSeconds)
        }
    }

    private let state = Mutex(State())

    /// Makes an alarm that is silent.
    package init() {}

    /// Sets it to this moment, or to one a little earlier; without one it is silent.
    package func set(_ wanted: BootInstant?) {
        let waiter = state.withLock { state in
            state.suits(wanted) ? nil : state.change(to: wanted)
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

    /// Calls `wake` whenever the moment has come, until ``end()`` or until the task is cancelled.
    ///
    /// The alarm is silent then until it is set again.
    package func run(on clock: any GatewayClock, wake: @Sendable () async -> Void) async {
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

    /// Whether the moment has come; it has not when the alarm was changed before.
    private func sleep(
        until time: BootInstant, _ number: UInt64, on clock: any GatewayClock
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                (try? await clock.sleep(until: time)) != nil && self.goOff(number)
            }
            await change(after: number)
            group.cancelAll()
            return await group.next() ?? false
        }
    }

    /// Whether it was still set as it was when the sleep began.
    private func goOff(_ number: UInt64) -> Bool {
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
