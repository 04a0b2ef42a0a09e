package import HealthModel

/// The version of the program.
package enum Version {
    /// Semantic version of this build.
    package static let current = "0.1.0"

    /// The day on which work on this version began, in UTC; it is changed together with ``current``.
    ///
    /// No machine can run this version before, so a clock that shows an earlier time is not set. It is
    /// written down, and not taken from the clock of whoever builds it: the same sources make the same
    /// program, and one that is built on a board whose clock is not set is no worse.
    package static let date = "2026-11-22"

    /// The beginning of ``date``: what is before it is no time that the clock can show.
    package static var earliestTime: Instant {
        guard let time = Instant(iso8601: date) else {
            preconditionFailure("`Version.date` is an ISO 8601 date")
        }
        return time
    }
}
