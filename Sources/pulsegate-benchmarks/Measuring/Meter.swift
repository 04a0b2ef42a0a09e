import Glibc

/// What something took.
struct Cost {
    /// How often it was done.
    var count: Int
    /// On the clock on the wall.
    var seconds: Double
    /// Of all processors together.
    var cpuSeconds: Double

    var nanosecondsEach: Double { seconds * 1e9 / Double(count) }
    var perSecond: Double { Double(count) / seconds }
    var cpuMicrosecondsEach: Double { cpuSeconds * 1e6 / Double(count) }
}

/// Reads the clocks and the memory of this process.
enum Meter {
    /// What doing something `count` times takes of the process.
    static func cost(of count: Int, _ body: () throws -> Void) rethrows -> Cost {
        let start = Start()
        try body()
        return start.cost(of: count)
    }

    /// What doing something `count` times takes of the process.
    static func cost(of count: Int, _ body: () async throws -> Void) async rethrows -> Cost {
        let start = Start()
        try await body()
        return start.cost(of: count)
    }

    /// What a thread takes for doing something `count` times.
    static func threadCost(of count: Int, _ body: () throws -> Void) rethrows -> Cost {
        let start = Start(clock: CLOCK_THREAD_CPUTIME_ID)
        try body()
        return start.cost(of: count)
    }

    /// Seconds of a clock; they mean something only beside others of the same clock.
    static func seconds(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static var wallSeconds: Double { seconds(of: CLOCK_MONOTONIC) }

    private struct Start {
        let clock: clockid_t
        let wall = Meter.wallSeconds
        let cpu: Double

        init(clock: clockid_t = CLOCK_PROCESS_CPUTIME_ID) {
            self.clock = clock
            cpu = Meter.seconds(of: clock)
        }

        func cost(of count: Int) -> Cost {
            Cost(
                count: count, seconds: Meter.wallSeconds - wall,
                cpuSeconds: Meter.seconds(of: clock) - cpu)
        }
    }
}
