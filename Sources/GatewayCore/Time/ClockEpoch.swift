public import HealthModel
public import Platform

/// A stretch of time in which the wall clock ran without a step.
///
/// In one epoch a single offset maps every ``BootInstant`` to UTC. A step of the wall clock begins
/// the next epoch; what was measured on boot time never notices.
public struct ClockEpoch: Hashable, Sendable {
    /// A smaller change of the offset, in nanoseconds, is measuring noise and not a step.
    static let smallestStepNanoseconds: Int64 = 100_000_000

    /// Counts up by one with every step of the wall clock that this process saw.
    public let number: Int
    /// UTC minus boot time, in nanoseconds.
    public let offsetNanoseconds: Int64
    /// Whether its UTC is made up, because the wall clock was never set.
    ///
    /// What is dated by it says so: ``HealthModel/MetadataKey/clockUnset``.
    public let isUnset: Bool

    /// Makes an epoch from its number and its offset in nanoseconds.
    public init(number: Int, offsetNanoseconds: Int64, isUnset: Bool = false) {
        self.number = number
        self.offsetNanoseconds = offsetNanoseconds
        self.isUnset = isUnset
    }

    /// The UTC time of a moment on the boot clock.
    public func instant(at moment: BootInstant) -> Instant {
        Instant(nanosecondsSince1970: offsetNanoseconds).adding(nanoseconds: moment.nanoseconds)
    }

    /// The epoch in which this offset was measured: this one, or the next when there was a step.
    ///
    /// Slewing and NTP's corrections of the frequency move both clocks alike, so that only a step
    /// changes the offset. Small steps that add up are a step in the end.
    func following(offsetNanoseconds offset: Int64) -> ClockEpoch {
        let (change, overflow) = offset.subtractingReportingOverflow(offsetNanoseconds)
        guard overflow || change.magnitude >= UInt64(Self.smallestStepNanoseconds) else {
            return self
        }
        return ClockEpoch(number: number + 1, offsetNanoseconds: offset)
    }
}
