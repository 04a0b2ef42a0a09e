public import HealthModel

/// The time of a measurement by the device's own clock.
///
/// A device that stores measurements sends them later, and often more than once. A reading with
/// this time is dated by it instead of by its receipt, and the converter recognizes a repetition by
/// the time and the ``sequence`` number.
public struct MeasurementTime: Hashable, Sendable {
    /// The clock of the device, as far as it is known.
    public enum Clock: Hashable, Sendable {
        /// UTC, from a clock whose time zone is known.
        case utc(Instant)
        /// Local time without a time zone, written as if it were UTC.
        ///
        /// It is a local time of the gateway's time zone, as for GATT Date Time (GATT Specification
        /// Supplement 3.70). The first of two equal local times is meant when clocks are set back.
        case local(Instant)
        /// The age of the measurement at its receipt in nanoseconds, from a clock with an unknown
        /// start.
        ///
        /// A repetition is recognized only if the reading has a ``MeasurementTime/sequence``.
        case age(nanoseconds: Int64)
    }

    private let stored: Stored

    /// The time by the device's clock.
    public var clock: Clock { stored.clock }
    /// The device's number of the measurement, if it numbers them.
    ///
    /// It distinguishes measurements with the same time.
    public var sequence: UInt64? { stored.sequence }

    /// Makes a time from the device's clock and its number of the measurement.
    public init(_ clock: Clock, sequence: UInt64? = nil) {
        stored = .time(clock, sequence)
    }

    /// Kept elsewhere: few readings have a time, and all of them are copied many times.
    private indirect enum Stored: Hashable, Sendable {
        case time(Clock, UInt64?)

        var clock: Clock {
            switch self {
            case .time(let clock, _): clock
            }
        }

        var sequence: UInt64? {
            switch self {
            case .time(_, let sequence): sequence
            }
        }
    }

    /// How far a measurement may be in the future: the device's time zone may be wrong.
    public static let maximumFutureSeconds = 86_400
    /// The maximum age of a measurement: a device may have stored it for two years.
    public static let maximumAgeSeconds = 2 * 365 * 86_400
    /// How far a measurement may be after the estimated time of a gateway whose clock is not set.
    static let maximumUnsetFutureSeconds = 10 * 365 * 86_400
}

extension MeasurementTime {
    /// Returns the measurement's UTC time; nil if it is out of its bounds.
    ///
    /// `receipt` is the UTC time of receipt. The bounds are ``maximumAgeSeconds`` before it and
    /// ``maximumFutureSeconds`` after it.
    func instant(
        receipt: Instant, isUnset: Bool = false, calendar: LocalCalendar
    ) -> Instant? {
        let instant: Instant
        switch clock {
        case .utc(let time): instant = time
        case .local(let time): instant = calendar.instant(local: time)
        case .age(let nanoseconds):
            guard nanoseconds >= 0 else { return nil }
            instant = receipt.adding(nanoseconds: -nanoseconds)
        }
        let future = isUnset ? Self.maximumUnsetFutureSeconds : Self.maximumFutureSeconds
        let age = receipt.nanoseconds(since: instant)
        let bounds = Int64(-future) * 1_000_000_000...Int64(Self.maximumAgeSeconds) * 1_000_000_000
        return bounds.contains(age) ? instant : nil
    }

    /// A number that is equal for a repetition of the measurement.
    var key: UInt64 {
        let time: UInt64 =
            switch clock {
            case .utc(let time): UInt64(bitPattern: time.nanosecondsSince1970)
            case .local(let time): ~UInt64(bitPattern: time.nanosecondsSince1970)
            case .age: 0
            }
        return time &* 0x9E37_79B9_7F4A_7C15 ^ (sequence ?? 0)
    }

    /// Whether a repetition has an equal ``key``.
    var isRecognizable: Bool {
        if case .age = clock { sequence != nil } else { true }
    }
}

extension Reading {
    /// The device's own time of the measurement; nil for the time of receipt.
    package var measured: MeasurementTime? {
        switch self {
        case .instant(_, _, let measured): measured
        case .counter(let counter): counter.measured
        case .beats(let beats): beats.measured
        case .correlation(let correlation): correlation.measured
        case .waveform(let waveform): waveform.measured
        case .state, .identity, .metadata: nil
        }
    }
}
