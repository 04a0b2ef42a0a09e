public import HealthModel
public import Platform

/// A period in which the wall clock was not stepped.
///
/// Within an epoch a constant offset maps every ``BootInstant`` to UTC. A step of the wall clock
/// starts the next epoch and does not affect boot times.
public struct ClockEpoch: Hashable, Sendable {
    /// A smaller change of the offset, in nanoseconds, is measuring noise and not a step.
    package static let smallestStepNanoseconds: Int64 = 100_000_000

    /// The number of steps of the wall clock seen by this process.
    public let number: Int
    /// UTC minus boot time, in nanoseconds.
    public let offsetNanoseconds: Int64
    /// Whether its UTC is estimated because the wall clock was never set.
    ///
    /// Such records have the metadata ``HealthModel/MetadataKey/clockUnset``.
    public let isUnset: Bool

    /// Makes an epoch from its number and its offset in nanoseconds.
    public init(number: Int, offsetNanoseconds: Int64, isUnset: Bool = false) {
        self.number = number
        self.offsetNanoseconds = offsetNanoseconds
        self.isUnset = isUnset
    }

    /// Returns the UTC time of a boot time.
    public func instant(at moment: BootInstant) -> Instant {
        Instant(nanosecondsSince1970: offsetNanoseconds).adding(nanoseconds: moment.nanoseconds)
    }

    /// Returns the boot time of a UTC time, clamped to its range.
    public func moment(of instant: Instant) -> BootInstant {
        BootInstant(
            nanoseconds: instant.nanoseconds(
                since: Instant(nanosecondsSince1970: offsetNanoseconds)))
    }

    /// Returns the epoch of a measured offset: this one, or the next if there was a step.
    ///
    /// Slewing and frequency corrections by NTP affect both clocks alike, so that only a step
    /// changes the offset. Small steps add up.
    package func following(offsetNanoseconds offset: Int64) -> ClockEpoch {
        let (change, overflow) = offset.subtractingReportingOverflow(offsetNanoseconds)
        guard overflow || change.magnitude >= UInt64(Self.smallestStepNanoseconds) else {
            return self
        }
        return ClockEpoch(number: number + 1, offsetNanoseconds: offset)
    }
}
