package import GatewayHost
package import HealthModel
import JSON
import Platform

/// A date on the command line that is not in the future.
package enum DateArgument {
    /// The words that are a date.
    package static let words = ["today", "yesterday"]

    /// Parses `2026-11-21`, `today` or `yesterday`; the error suggests a word or shows an example.
    package static func date(
        _ text: String, option: String, today: CalendarDate
    ) throws(HostError) -> CalendarDate {
        switch text.lowercased() {
        case "today": return today
        case "yesterday": if let date = today.adding(days: -1) { return date }
        default: if let date = CalendarDate(iso8601: text), date <= today { return date }
        }
        if let nearest = Suggestion.nearest(to: text, in: words) {
            throw HostError(
                .usage,
                "\(option): unknown date `\(LogFormat.escaped(text))`; did you mean `\(nearest)`?")
        }
        throw HostError(
            .usage,
            "\(option): expected a date not in the future, such as 2026-11-21, found `\(text)`")
    }
}
