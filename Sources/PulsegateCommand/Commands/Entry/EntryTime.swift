import ArgumentValues
import GatewayHost
import HealthModel

extension ParsedArguments {
    /// The time of an entered value, nil when it was not given.
    ///
    /// A local time that does not exist is an error. For one that occurs twice it is the first, with
    /// a note.
    func entryTime(
        of option: String, now: Instant, calendar: LocalCalendar
    ) throws(HostError) -> Instant? {
        guard let instant = try time(of: option, now: now, calendar: calendar) else { return nil }
        guard let text = value(of: option), text.contains(":"), Instant(iso8601: text) == nil,
            let local = LocalClockTime(text)
        else { return instant }
        let instants = calendar.instants(local.date, secondsSinceMidnight: local.seconds)
        guard let last = instants.last else {
            let offset = Self.offset(calendar.secondsFromUTC(at: instant))
            throw HostError(
                .usage,
                "\(option): the local time \(text) does not exist: clocks are set forward at that "
                    + "time; use a later time, or a time with an offset such as \(text)\(offset)")
        }
        if instants.count > 1 {
            let offset = Self.offset(calendar.secondsFromUTC(at: last))
            CommandNote.write(
                "\(option): the local time \(text) occurs twice: clocks are set back at that time; "
                    + "the first is used, the second is \(text)\(offset)")
        }
        return instant
    }

    /// An offset from UTC as in ISO 8601: `+01:00`.
    private static func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (seconds < 0 ? "-" : "+") + parts.joined(separator: ":")
    }
}
