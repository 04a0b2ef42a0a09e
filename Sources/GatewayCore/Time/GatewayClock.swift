/// The only way to ask what time it is, and to wait.
///
/// Tests use `ManualClock` of GatewayTesting; the command uses ``SystemClock``.
public protocol GatewayClock: Sendable {
    /// The present moment on the boot clock.
    func now() -> BootInstant

    /// The epoch in force, which maps boot time to UTC.
    func epoch() -> ClockEpoch

    /// Waits until another epoch than this one is in force, and answers with that.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func epoch(after old: ClockEpoch) async throws -> ClockEpoch

    /// Whether something keeps the wall clock right, NTP for example; nil when that is not known.
    func isSynchronized() -> Bool?

    /// Waits until the boot clock has reached `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(until deadline: BootInstant) async throws
}

extension GatewayClock {
    /// Waits for so many seconds from now.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(seconds: Double) async throws {
        try await sleep(until: now().adding(nanoseconds: Int64(clampedNanosecondsOf: seconds)))
    }
}

extension Int64 {
    /// Seconds as nanoseconds, held within the range of the type; not a number counts as zero.
    package init(clampedNanosecondsOf seconds: Double) {
        let nanoseconds = (seconds * 1e9).rounded()
        self =
            nanoseconds.isNaN ? 0 : Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
    }
}
