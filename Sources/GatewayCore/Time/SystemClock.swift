import Glibc
import Synchronization

/// The clocks of the machine: `CLOCK_BOOTTIME` for moments, `CLOCK_REALTIME` for the offset to UTC.
public final class SystemClock: GatewayClock {
    /// A smaller change of the offset is measuring noise, not a step of the wall clock.
    static let smallestStepNanoseconds: Int64 = 100_000_000

    private let current: Mutex<ClockEpoch>
    private let timer = SleepTimer()

    /// Reads both clocks and begins the first epoch.
    public init() {
        current = Mutex(ClockEpoch(number: 0, offsetNanoseconds: Self.measureOffset()))
    }

    /// The present moment of `CLOCK_BOOTTIME`.
    public func now() -> BootInstant {
        Self.bootTime()
    }

    /// The epoch in force; a new one when the wall clock was stepped since the last call.
    ///
    /// Both clocks follow the same frequency corrections, so only a step moves their difference.
    public func epoch() -> ClockEpoch {
        let offset = Self.measureOffset()
        return current.withLock { epoch in
            let (change, overflow) = offset.subtractingReportingOverflow(epoch.offsetNanoseconds)
            if overflow || change.magnitude >= UInt64(Self.smallestStepNanoseconds) {
                epoch = ClockEpoch(number: epoch.number + 1, offsetNanoseconds: offset)
            }
            return epoch
        }
    }

    /// Waits until the boot clock has reached `deadline`; time that the machine is suspended counts.
    public func sleep(until deadline: BootInstant) async throws {
        try await timer.sleep(until: deadline)
    }

    /// What ``now()`` says, for the timer.
    static func bootTime() -> BootInstant {
        BootInstant(nanoseconds: read(CLOCK_BOOTTIME))
    }

    /// Reads the wall clock between two readings of boot time, and again when the process was held up
    /// between them: that would look like a step.
    private static func measureOffset() -> Int64 {
        var before = read(CLOCK_BOOTTIME)
        while true {
            let wall = read(CLOCK_REALTIME)
            let after = read(CLOCK_BOOTTIME)
            if after - before < smallestStepNanoseconds / 10 { return wall - before }
            before = after
        }
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
