public import HealthModel

/// A stretch of time in which the wall clock ran without a step.
///
/// In one epoch a single offset maps every ``BootInstant`` to UTC. A step of the wall clock begins
/// the next epoch; what was measured on boot time never notices.
public struct ClockEpoch: Hashable, Sendable {
    /// Counts up by one with every step of the wall clock that this process saw.
    public let number: Int
    /// UTC minus boot time, in nanoseconds.
    public let offsetNanoseconds: Int64

    /// Makes an epoch from its number and its offset in nanoseconds.
    public init(number: Int, offsetNanoseconds: Int64) {
        self.number = number
        self.offsetNanoseconds = offsetNanoseconds
    }

    /// The UTC time of a moment on the boot clock.
    public func instant(at moment: BootInstant) -> Instant {
        Instant(nanosecondsSince1970: offsetNanoseconds).adding(nanoseconds: moment.nanoseconds)
    }
}
