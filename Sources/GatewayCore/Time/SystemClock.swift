package import HealthModel
public import Platform
public import Readings
import Synchronization

/// The system clocks: `CLOCK_BOOTTIME` for moments, `CLOCK_REALTIME` for the offset to UTC.
public final class SystemClock: GatewayClock {
    /// The polling interval for steps, in seconds, if no descriptor is available for notifications.
    static let pollSeconds = 10.0

    private let current: Mutex<ClockEpoch>
    private let timer = SleepTimer()

    /// Reads both clocks and starts the first epoch.
    public init() {
        current = Mutex(ClockEpoch(number: 0, offsetNanoseconds: Self.measureOffset()))
    }

    /// Returns the present moment of `CLOCK_BOOTTIME`.
    public func now() -> BootInstant {
        SystemTime.boot()
    }

    /// Returns the current epoch; a new one if the wall clock was stepped since the last call.
    public func epoch() -> ClockEpoch {
        let offset = Self.measureOffset()
        return current.withLock { epoch in
            epoch = epoch.following(offsetNanoseconds: offset)
            return epoch
        }
    }

    /// Waits for an epoch other than this one and returns it.
    ///
    /// The kernel notifies of every step, so there is no polling.
    public func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
        // Created before the clock is read, so that no step is missed.
        let watch = ClockStepWatch()
        while true {
            let epoch = epoch()
            if epoch.number != old.number { return epoch }
            if let watch {
                try await watch.wait()
            } else {
                try await sleep(seconds: Self.pollSeconds)
            }
        }
    }

    /// The current UTC time.
    package func instant() -> Instant { epoch().instant(at: now()) }

    /// Returns whether the kernel reports a synchronized clock (adjtimex(2)).
    public func isSynchronized() -> Bool? {
        SystemTime.isSynchronized()
    }

    /// Waits until the boot clock reaches `deadline`; suspended time counts.
    public func sleep(until deadline: BootInstant) async throws {
        try await timer.sleep(until: deadline)
    }

    /// Reads the wall clock between two readings of boot time, and repeats if the process was
    /// delayed between them, which would look like a step.
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
