public import Platform

/// The only way to ask what time it is, and to wait.
///
/// Tests use `ManualClock` of GatewayTesting; the command uses ``SystemClock``.
public protocol GatewayClock: BootClock {
    /// The epoch in force, which maps boot time to UTC.
    func epoch() -> ClockEpoch

    /// Waits until another epoch than this one is in force, and answers with that.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func epoch(after old: ClockEpoch) async throws -> ClockEpoch

    /// Whether something keeps the wall clock right, NTP for example; nil when that is not known.
    func isSynchronized() -> Bool?
}
