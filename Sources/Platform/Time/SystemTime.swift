import CThreads
import Glibc

/// The clocks of the kernel (clock_gettime(2)).
package enum SystemTime {
    /// The present moment of `CLOCK_BOOTTIME`: nanoseconds since boot, suspend included.
    package static func boot() -> BootInstant {
        BootInstant(nanoseconds: nanoseconds(of: CLOCK_BOOTTIME))
    }

    /// The present time of `CLOCK_REALTIME`, in nanoseconds since 1970.
    package static func wall() -> Int64 {
        nanoseconds(of: CLOCK_REALTIME)
    }

    /// The present moment of `CLOCK_MONOTONIC` in microseconds, as sd-bus counts its time limits.
    package static func monotonicMicroseconds() -> UInt64 {
        UInt64(nanoseconds(of: CLOCK_MONOTONIC) / 1_000)
    }

    /// The moment of ``monotonicMicroseconds()`` in so many seconds; `.max` when that is too far away.
    package static func monotonicDeadline(inSeconds seconds: Double) -> UInt64 {
        let (deadline, overflow) = monotonicMicroseconds().addingReportingOverflow(
            microseconds(ofSeconds: seconds))
        return overflow ? .max : deadline
    }

    /// So many seconds as microseconds, at least one; `.max` when that is too long to express.
    package static func microseconds(ofSeconds seconds: Double) -> UInt64 {
        let microseconds = (seconds * 1e6).rounded(.up)
        guard microseconds >= 1 else { return 1 }
        return UInt64(exactly: microseconds) ?? .max
    }

    /// Whether something keeps the wall clock right, NTP for example (adjtimex(2)); nil when that is
    /// not known.
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
