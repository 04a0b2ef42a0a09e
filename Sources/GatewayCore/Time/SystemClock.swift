public import Platform
import Synchronization

/// The clocks of the machine: `CLOCK_BOOTTIME` for moments, `CLOCK_REALTIME` for the offset to UTC.
public final class SystemClock: GatewayClock {
    /// How often to look for a step when the system has no descriptor left to tell of it, in seconds.
    static let lookSeconds = 10.0

    private let current: Mutex<ClockEpoch>
    private let timer = SleepTimer()

    /// Reads both clocks and begins the first epoch.
    public init() {
        current = Mutex(ClockEpoch(number: 0, offsetNanoseconds: Self.measureOffset()))
    }

    /// The present moment of `CLOCK_BOOTTIME`.
    public func now() -> BootInstant {
        SystemTime.boot()
    }

    /// The epoch in force; a new one when the wall clock was stepped since the last call.
    public func epoch() -> ClockEpoch {
        let offset = Self.measureOffset()
        return current.withLock { epoch in
            epoch = epoch.following(offsetNanoseconds: offset)
            return epoch
        }
    }

    /// Waits until another epoch than this one is in force.
    ///
    /// The kernel tells of every step, so that nothing wakes up before.
    public func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
        // Made before the clock is looked at, so that no step comes between.
        let watch = ClockStepWatch()
        while true {
            let epoch = epoch()
            if epoch.number != old.number { return epoch }
            if let watch {
                try await watch.wait()
            } else {
                try await sleep(seconds: Self.lookSeconds)
            }
        }
    }

    /// Whether the kernel was told that something keeps the wall clock right (adjtimex(2)).
    public func isSynchronized() -> Bool? {
        SystemTime.isSynchronized()
    }

    /// Waits until the boot clock has reached `deadline`; time that the machine is suspended counts.
    public func sleep(until deadline: BootInstant) async throws {
        try await timer.sleep(until: deadline)
    }

    /// Reads the wall clock between two readings of boot time, and again when the process was held up
    /// between them: that would look like a step.
    private static func measureOffset() -> Int64 {
        var before = SystemTime.boot().nanoseconds
        while true {
            let wall = SystemTime.wall()
            let after = SystemTime.boot().nanoseconds
            if after - before < ClockEpoch.smallestStepNanoseconds / 10 { return wall - before }
            before = after
        }
    }
}
