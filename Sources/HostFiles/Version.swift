package import HealthModel

/// The version of the program.
package enum Version {
    /// Semantic version of this build.
    package static let current = "0.1.0"

    /// The day on which work on this version started, in UTC; changes together with ``current``.
    ///
    /// A clock that shows an earlier time is not set. The date is a constant, not the build time,
    /// so that builds are reproducible and a wrong clock of the build machine does no harm.
    package static let date = "2026-11-22"

    /// The start of ``date``; earlier times mean that the clock is not set.
    package static var earliestTime: Instant {
        guard let time = Instant(iso8601: date) else {
            preconditionFailure("`Version.date` is an ISO 8601 date")
        }
        return time
    }
}
