import HealthModel
import Platform

/// Logs changes of the wall clock.
package struct ClockLog {
    /// The remedy for a clock that is not set.
    package static let remedy =
        "enable NTP (`timedatectl set-ntp true`) or set the clock (`date -s`)"

    let log: Logger
    let earliest: Instant

    /// Logs a change of the clock.
    func report(_ change: TimestampResolver.Change, waiting: Int) {
        switch change {
        case .nothing:
            break
        case .unset:
            let minutes = Int(UndatedReports.maximumWaitSeconds / 60)
            log.warning(
                "the clock is not set; readings wait in memory; \(Self.remedy)",
                ["maximumMinutes": "\(minutes)"])
        case .set:
            log.info("the clock is set", waiting > 0 ? ["readings": "\(waiting)"] : [:])
        case .stepped(let seconds):
            log.warning("the wall clock was stepped", ["seconds": "\(seconds)"])
        case .rejected:
            log.warning(
                "ignoring the wall clock: its time is before the build date; \(Self.remedy)")
        }
    }

    /// Logs that readings no longer wait for the clock.
    func reportTimeout(waiting: Int) {
        log.warning(
            "the clock is still not set; using estimated times; \(Self.remedy)",
            [
                "from": "\(earliest.description.prefix(10))", "metadata": "PulsegateClockUnset",
                "readings": "\(waiting)",
            ])
    }
}
