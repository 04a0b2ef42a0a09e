import Glibc

/// The time of a number of operations.
struct Cost {
    /// The number of operations.
    var count: Int
    /// The elapsed time.
    var seconds: Double
    /// The CPU time of all processors.
    var cpuSeconds: Double

    var nanosecondsEach: Double { seconds * 1e9 / Double(count) }
    var perSecond: Double { Double(count) / seconds }
    var cpuMicrosecondsEach: Double { cpuSeconds * 1e6 / Double(count) }
}

/// Reads the clocks and the memory of this process.
enum Meter {
    /// Measures the time of the process for `count` operations.
    static func cost(of count: Int, _ body: () throws -> Void) rethrows -> Cost {
        let start = Start()
        try body()
        return start.cost(of: count)
    }

    /// Measures the time of the process for `count` asynchronous operations.
    static func cost(of count: Int, _ body: () async throws -> Void) async rethrows -> Cost {
        let start = Start()
        try await body()
        return start.cost(of: count)
    }

    /// Measures the time of the current thread for `count` operations.
    static func threadCost(of count: Int, _ body: () throws -> Void) rethrows -> Cost {
        let start = Start(clock: CLOCK_THREAD_CPUTIME_ID)
        try body()
        return start.cost(of: count)
    }

    /// Reads a clock, in seconds.
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
