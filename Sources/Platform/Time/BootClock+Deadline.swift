extension BootClock {
    /// Runs an operation and cancels it at a deadline.
    ///
    /// - Returns: The result of the operation; nil when the deadline passed first.
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
