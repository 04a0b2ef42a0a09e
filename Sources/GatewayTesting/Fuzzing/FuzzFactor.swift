import FoundationEssentials

/// The factor by which fuzz tests run longer than usual.
public enum FuzzFactor {
    /// The value of the environment variable `PULSEGATE_FUZZ_FACTOR`; 1 when it is not set.
    public static var current: Int {
        ProcessInfo.processInfo.environment["PULSEGATE_FUZZ_FACTOR"].flatMap { Int($0) } ?? 1
    }
}
