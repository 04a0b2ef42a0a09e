/// A clock that counts since boot, and waits until a time on it.
public protocol BootClock: Sendable {
    /// The current time of the boot clock.
    func now() -> BootInstant

    /// Waits until the boot clock has reached `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: BootInstant) async throws
}

extension BootClock {
    /// Waits for a number of seconds from now.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(seconds: Double) async throws {
        try await sleep(until: now().adding(nanoseconds: Int64(clampedNanosecondsOf: seconds)))
    }
}

extension Int64 {
    /// Seconds as nanoseconds, clamped to the range of the type; NaN counts as zero.
    package init(clampedNanosecondsOf seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        self =
            nanoseconds.isNaN ? 0 : Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
    }
}
