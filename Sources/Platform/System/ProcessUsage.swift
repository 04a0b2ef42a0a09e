import Glibc

/// What this process uses.
public struct ProcessUsage: Equatable, Sendable {
    /// The processor time of all threads since the start, in seconds.
    public var cpuSeconds: Double
    /// The memory that is in RAM, in bytes; 0 when it is unknown.
    public var residentBytes: Int64
    /// The number of open descriptors; 0 when it is unknown.
    public var openDescriptors: Int64

    /// Makes a value from its parts.
    public init(cpuSeconds: Double = 0, residentBytes: Int64 = 0, openDescriptors: Int64 = 0) {
        self.cpuSeconds = cpuSeconds
        self.residentBytes = residentBytes
        self.openDescriptors = openDescriptors
    }

    /// Measures it now.
    public static func current() -> ProcessUsage {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return ProcessUsage(
            cpuSeconds: Double(microseconds(usage.ru_utime) + microseconds(usage.ru_stime)) / 1e6,
            residentBytes: SystemCall.residentBytes, openDescriptors: countDescriptors())
    }

    private static func microseconds(_ time: timeval) -> Int {
        time.tv_sec * 1_000_000 + time.tv_usec
    }

    /// The entries of /proc/self/fd without `.`, `..` and the one that reads it (proc(5)).
    private static func countDescriptors() -> Int64 {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count: Int64 = 0
        while readdir(folder) != nil { count += 1 }
        return max(count - 3, 0)
    }
}
