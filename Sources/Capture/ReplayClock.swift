import GatewayCore
package import Platform
package import Readings
import Synchronization

/// A clock that shows the times of a capture.
///
/// Only the replay advances it. Nothing wakes up on it, so that the records depend on the capture
/// alone: what waits for a time is handled with the first event after it.
package final class ReplayClock: GatewayClock {
    private struct State {
        var now: BootInstant
        var epoch: ClockEpoch
    }

    private let state: Mutex<State>

    /// Creates a clock at the start of a capture.
    package init(_ header: CaptureHeader) {
        let epoch = ClockEpoch(number: 0, offsetNanoseconds: header.clockOffset)
        state = Mutex(State(now: header.start, epoch: epoch))
    }

    /// The time of the current event.
    package func now() -> BootInstant { state.withLock { $0.now } }

    /// The epoch of the current event.
    package func epoch() -> ClockEpoch { state.withLock { $0.epoch } }

    /// Advances to the time of an event; it never goes back.
    func advance(to moment: BootInstant) {
        state.withLock { $0.now = max($0.now, moment) }
    }

    /// Starts the epoch of a new offset.
    func step(to offset: Int64) {
        state.withLock {
            $0.epoch = ClockEpoch(number: $0.epoch.number + 1, offsetNanoseconds: offset)
        }
    }

    /// Waits until the task is cancelled.
    package func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
        try await waitForCancellation()
    }

    /// Waits until the task is cancelled.
    package func sleep(until deadline: BootInstant) async throws {
        let _: Never = try await waitForCancellation()
    }

    /// Unknown: the capture does not have it.
    package func isSynchronized() -> Bool? { nil }

    private func waitForCancellation() async throws -> Never {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
        throw CancellationError()
    }
}
