import HealthModel
import JSON

/// The values of texts in a TCX file.
enum TCXValue {
    private static let maximumLength = 100

    /// A number; nil when the text is not a number or negative.
    static func number(_ text: String) -> Double? {
        guard text.utf8.count <= maximumLength else { return nil }
        let trimmed = text.filter { !$0.isWhitespace }
        return Double(decimal: trimmed).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    /// A time, which is local without a time zone; nil when the text is not a time.
    static func time(
        _ text: String, _ calendar: LocalCalendar
    ) -> (instant: Instant, isLocal: Bool)? {
        guard text.utf8.count <= maximumLength else { return nil }
        var trimmed = text[...]
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        trimmed = trimmed.drop(while: \.isWhitespace)
        if let instant = Instant(iso8601: trimmed) { return (instant, false) }
        return Instant(iso8601: trimmed + "Z").map { (calendar.instant(local: $0), true) }
    }
}
