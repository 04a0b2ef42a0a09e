import Synchronization

/// A task that its owner can cancel and wait for with a deadline.
package struct OwnedTask: Sendable {
    private let task: Task<Void, Never>
    private let end: AsyncStream<Void>
    private let flag = Flag()

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// Whether the operation has returned.
    package var hasEnded: Bool { flag.isSet.load(ordering: .acquiring) }

    /// Starts the operation on an executor; nil for Swift's default executor.
    package init(
        on executor: (any TaskExecutor)?, _ operation: @escaping @Sendable () async -> Void
    ) {
        let (end, signal) = AsyncStream.makeStream(of: Void.self)
        self.end = end
        task = Task(executorPreference: executor) { [flag] in
            await operation()
            flag.isSet.store(true, ordering: .releasing)
            signal.finish()
        }
    }

    /// Cancels the task.
    package func cancel() {
        task.cancel()
    }

    /// Waits until all tasks have ended, or until a deadline.
    ///
    /// Wait only once for a task: one whose wait was cut short counts as ended.
    package static func wait(
        for tasks: [OwnedTask], until deadline: BootInstant, on clock: any BootClock
    ) async {
        guard !tasks.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for task in tasks {
                    for await _ in task.end {}
                }
            }
            group.addTask { try? await clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
