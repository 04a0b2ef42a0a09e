import Platform

/// When it was last checked that the segments are still at their paths.
///
/// A file that was removed or moved is written to as before, and is lost when the process ends.
struct LogLocation {
    /// The minimum time between two periodic checks, in seconds.
    private static let checkIntervalSeconds = 1.0

    private var lastCheck: BootInstant

    /// Starts the time of the checks.
    init(at now: BootInstant) { lastCheck = now }

    /// Whether the last check was long enough ago.
    func isDue(at now: BootInstant) -> Bool {
        now.seconds(since: lastCheck) >= Self.checkIntervalSeconds
    }

    /// Notes a check that found everything in place.
    mutating func noteCheck(at now: BootInstant) { lastCheck = now }
}
