import CThreads
import Glibc

/// The clocks of the kernel (clock_gettime(2)).
package enum SystemTime {
    /// The current time of `CLOCK_BOOTTIME`: nanoseconds since boot, including suspend.
    package static func boot() -> BootInstant {
        BootInstant(nanoseconds: nanoseconds(of: CLOCK_BOOTTIME))
    }

    /// The current time of `CLOCK_REALTIME`, in nanoseconds since 1970.
    package static func wall() -> Int64 {
        nanoseconds(of: CLOCK_REALTIME)
    }

    /// The current time of `CLOCK_MONOTONIC` in microseconds, as sd-bus uses it for timeouts.
    package static func monotonicMicroseconds() -> UInt64 {
        UInt64(nanoseconds(of: CLOCK_MONOTONIC) / 1_000)
    }

    /// The time of ``monotonicMicroseconds()`` a number of seconds from now; `.max` on overflow.
    package static func monotonicDeadline(inSeconds seconds: Double) -> UInt64 {
        let (deadline, overflow) = monotonicMicroseconds().addingReportingOverflow(
            microseconds(ofSeconds: seconds))
        return overflow ? .max : deadline
    }

    /// Seconds as microseconds, at least one; `.max` on overflow.
    package static func microseconds(ofSeconds seconds: Double) -> UInt64 {
        let microseconds = (seconds * 1e6).rounded(.up)
        guard microseconds >= 1 else { return 1 }
        return UInt64(exactly: microseconds) ?? .max
    }

    /// Whether the wall clock is synchronized, for example by NTP (adjtimex(2)); nil when unknown.
    package static func isSynchronized() -> Bool? {
        switch cthreads_is_clock_synchronized() {
        case 1: true
        case 0: false
        default: nil
        }
    }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
