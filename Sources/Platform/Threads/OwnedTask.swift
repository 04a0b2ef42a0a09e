/// A task that its owner may end, and wait for, but for no longer than that may take.
package struct OwnedTask: Sendable {
    private let task: Task<Void, Never>
    private let end: AsyncStream<Void>

    /// Starts the operation on an executor; without one on Swift's usual threads.
    package init(
        on executor: (any TaskExecutor)?, _ operation: @escaping @Sendable () async -> Void
    ) {
        let (end, signal) = AsyncStream.makeStream(of: Void.self)
        self.end = end
        task = Task(executorPreference: executor) {
            await operation()
            signal.finish()
        }
    }

    /// Asks it to end.
    package func cancel() {
        task.cancel()
    }

    /// Waits until all of them have ended, but not longer than until this moment.
    ///
    /// Once is enough: who was not waited for to the end counts as ended.
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
