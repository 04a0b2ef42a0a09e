import FoundationEssentials

/// How much longer tests with random bytes run than usual.
public enum FuzzFactor {
    /// What `PULSEGATE_FUZZ_FACTOR` in the environment says; 1 when it says nothing.
    public static var current: Int {
        ProcessInfo.processInfo.environment["PULSEGATE_FUZZ_FACTOR"].flatMap { Int($0) } ?? 1
    }
}
