import GatewayCore
package import Platform
package import Readings
import Synchronization

/// A clock that shows the times of a capture.
///
/// Only the replay advances it. Nothing wakes up on it, so that the records depend on the capture
/// alone: what waits for a time is handled with the first event after it.
package final class ReplayClock: GatewayClock {
    private let state: Mutex<Time>

    /// Creates a clock at the start of a capture.
    package init(_ header: CaptureHeader) {
        let epoch = ClockEpoch(number: 0, offsetNanoseconds: header.clockOffset)
        state = Mutex(Time(moment: header.start, epoch: epoch))
    }

    /// The time of the current event.
    package func now() -> BootInstant { state.withLock { $0.moment } }

    /// The epoch of the current event.
    package func epoch() -> ClockEpoch { state.withLock { $0.epoch } }

    /// The time of an event of a capture.
    struct Time: Sendable {
        let moment: BootInstant
        let epoch: ClockEpoch
    }

    /// Shows the time of an event.
    func show(_ time: Time) {
        state.withLock { $0 = time }
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
