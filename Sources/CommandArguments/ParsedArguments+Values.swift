package import ArgumentValues
import GatewayCore
package import GatewayHost
package import HealthModel
import Platform

extension ParsedArguments {
    /// The unit given with an option, nil when it was not given.
    package func unit(of option: String, for type: QuantityType) throws(HostError) -> Unit? {
        guard let text = value(of: option) else { return nil }
        return try UnitArgument.unit(text, for: type, option: option)
    }

    /// The output format given with `--format` or `--json`.
    package func format() throws(HostError) -> OutputFormat {
        try OutputFormat(argument: value(of: "--format"), isJSON: has("--json"))
    }

    /// The number given with `--limit`, nil when it was not given.
    package func limit() throws(HostError) -> Int? {
        guard let text = value(of: "--limit") else { return nil }
        guard let limit = Int(text), limit > 0 else {
            throw HostError(
                .usage,
                "--limit: expected a number greater than 0, found `\(LogFormat.escaped(text))`")
        }
        return limit
    }

    /// The time given with an option, nil when it was not given.
    package func time(
        of option: String, now: Instant, calendar: LocalCalendar = .system
    ) throws(HostError) -> Instant? {
        guard let text = value(of: option) else { return nil }
        return try TimeArgument.instant(text, option: option, now: now, calendar: calendar)
    }

    /// The start and the end of the times to read: `--from` and `--to`, or `--period`.
    package func timeRange(
        now: Instant, calendar: LocalCalendar = .system
    ) throws(HostError) -> (from: Instant?, to: Instant?) {
        let from = try time(of: "--from", now: now, calendar: calendar)
        let to = try time(of: "--to", now: now, calendar: calendar)
        guard let text = value(of: "--period") else {
            if let from, let to, from >= to { throw fromIsLate() }
            return (from, to)
        }
        guard from == nil, to == nil else {
            throw HostError(.usage, "--period is a start and an end; remove --from and --to")
        }
        let period = try PeriodArgument.span(
            text, option: "--period", now: now, calendar: calendar)
        return (period.lowerBound, period.upperBound)
    }

    /// The error of a start that is not before the end; for the same period twice, with a hint.
    private func fromIsLate() -> HostError {
        let text = value(of: "--from") ?? ""
        let isPeriod = text == value(of: "--to") && PeriodArgument.isWord(text)
        return HostError(
            .usage,
            "--from must be before --to"
                + (isPeriod ? "; use --period \(PeriodArgument.normalized(text))" : ""))
    }
}

extension CommandSyntax {
    /// The help for the values of ``timeRange(from:to:)``.
    package static let timeHelp = """
        T is an ISO 8601 date or time, now, a duration before now (90s, 15m, 7d), or a PERIOD, whose
        start it is. PERIOD is today, yesterday, this-week, last-week, this-month, last-month,
        this-year, last-year, a date or a month (2026-11), in local time; weeks start on
        \(weekStart).
        """

    /// The first day of a week, for the help.
    package static let weekStart =
        "the first weekday of the locale ($LC_TIME), or on Monday without one"

    /// `--activity` of commands that select workouts.
    package static let activity = Option(
        name: "--activity", value: "A", kind: .activity,
        help: "only workouts of this activity: running, rowing")

    /// `--from`, `--to` and `--period`, with the help for the first two.
    package static func timeRange(from: String, to: String) -> [Option] {
        [
            Option(name: "--from", value: "T", kind: .words(TimeArgument.words), help: from),
            Option(name: "--to", value: "T", kind: .words(TimeArgument.words), help: to),
            Option(
                name: "--period", value: "PERIOD", kind: .words(PeriodArgument.words),
                help: "from the start to the end of PERIOD, in place of --from and --to"),
        ]
    }
}
