public import Platform
public import Readings

/// The clock of the gateway: the only access to the time and to sleeping.
///
/// Tests use `ManualClock` of GatewayTesting; the command uses ``SystemClock``.
public protocol GatewayClock: BootClock {
    /// Returns the current epoch, which maps boot time to UTC.
    func epoch() -> ClockEpoch

    /// Waits for an epoch other than this one and returns it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func epoch(after old: ClockEpoch) async throws -> ClockEpoch

    /// Returns whether the wall clock is synchronized, for example by NTP; nil if unknown.
    func isSynchronized() -> Bool?
}
