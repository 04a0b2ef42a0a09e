import HealthModel
import Platform

/// Says in the log what whoever runs the gateway should know of the clock.
package struct ClockLog {
    /// What helps against a clock that is not set.
    package static let remedy =
        "let NTP set it (`timedatectl set-ntp true`), or set it yourself (`date -s`)"

    let log: Logger
    let earliest: Instant

    /// Says what a look at the clock has brought.
    func report(_ change: TimestampResolver.Change, waiting: Int) {
        switch change {
        case .nothing:
            break
        case .unset:
            let minutes = Int(UndatedReports.maximumWaitSeconds / 60)
            log.warning(
                """
                the clock is not set; what is measured waits for it in memory, for \(minutes) \
                minutes at most; \(Self.remedy)
                """)
        case .set:
            log.info("the clock is set", waiting > 0 ? ["readings": "\(waiting)"] : [:])
        case .stepped(let seconds):
            log.warning("the wall clock was set", ["seconds": "\(seconds)"])
        case .refused:
            log.warning(
                """
                the wall clock was set to a time before this program was made, which is not \
                followed: times go on as before; \(Self.remedy)
                """)
        }
    }

    /// Says that nothing waits for the clock any longer.
    func reportGivingUp(waiting: Int) {
        log.warning(
            """
            the clock is still not set; what is measured is dated from \
            \(earliest.description.prefix(10)) on, and marked PulsegateClockUnset; \(Self.remedy)
            """, ["readings": "\(waiting)"])
    }
}
