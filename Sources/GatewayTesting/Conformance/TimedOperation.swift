import GatewayCore
import Platform
import Synchronization

/// An asynchronous call of a plugin that a suite can cancel, and wait for with a limit.
///
/// A call that does not end in time is left behind: nothing can stop it.
package final class TimedOperation<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    private let box = Box()
    private let task: OwnedTask
    private let clock = SystemClock()

    /// Starts the call; the task may be cancelled before it.
    package init(isCancelled: Bool = false, _ body: @escaping @Sendable () async throws -> Value) {
        let box = box
        task = OwnedTask(on: nil) {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            box.result.withLock { $0 = result }
        }
    }

    /// The result so far; nil while the call is in progress.
    var result: Result<Value, any Error>? { box.result.withLock { $0 } }

    /// Cancels the task of the call.
    func cancel() {
        task.cancel()
    }

    /// Waits for the end; call it once.
    ///
    /// - Returns: Nil when the call has not ended in time.
    package func end(within seconds: Double) async -> Result<Value, any Error>? {
        await OwnedTask.wait(for: [task], until: clock.now().adding(seconds: seconds), on: clock)
        return result
    }
}
