extension BootClock {
    /// Waits for an operation, but no longer than until a deadline; then the operation is cancelled.
    ///
    /// - Returns: What the operation returned; nil when the deadline passed before.
    @discardableResult
    package func wait<Result: Sendable>(
        until deadline: BootInstant, for operation: @escaping @Sendable () async -> Result
    ) async -> Result? {
        await withTaskGroup(of: Result?.self) { group in
            defer { group.cancelAll() }
            group.addTask { await operation() }
            group.addTask {
                try? await self.sleep(until: deadline)
                return nil
            }
            return await group.next() ?? nil
        }
    }
}
