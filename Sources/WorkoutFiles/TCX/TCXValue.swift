import HealthModel
import JSON

/// The values of texts in a TCX file.
enum TCXValue {
    private static let maximumLength = 100

    /// A number; nil when the text is not a number or negative.
    static func number(_ text: String) -> Double? {
        guard text.utf8.count <= maximumLength else { return nil }
        return Double(decimal: trimmed(text)).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    /// A time, which is local without a time zone; nil when the text is not a time.
    static func time(
        _ text: String, _ calendar: LocalCalendar
    ) -> (instant: Instant, isLocal: Bool)? {
        guard text.utf8.count <= maximumLength else { return nil }
        let trimmed = trimmed(text)
        if let instant = Instant(iso8601: trimmed) { return (instant, false) }
        return Instant(iso8601: trimmed + "Z").map { (calendar.instant(local: $0), true) }
    }

    /// The text without white space at its ends.
    private static func trimmed(_ text: String) -> Substring {
        var trimmed = text[...]
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return trimmed.drop(while: \.isWhitespace)
    }
}
