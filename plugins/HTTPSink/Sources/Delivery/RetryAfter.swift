import HTTPClient
import HealthModel

/// Parses the header `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The maximum delay in seconds.
    static let longest = 3_600.0

    /// The delay from now in seconds; nil when the header is missing, invalid or in the past.
    ///
    /// - Parameters:
    ///   - header: `Retry-After`, as seconds or as a date.
    ///   - date: The response's `Date`: the current time of the server.
    ///   - now: The current time, used without a `Date` header.
    static func seconds(_ header: String?, date: String?, now: Instant) -> Double? {
        guard let header else { return nil }
        if let digits = wholeNumber(header) { return bounded(digits) }
        guard let end = HTTPDate.secondsSince1970(header) else { return nil }
        let start =
            date.flatMap(HTTPDate.secondsSince1970).map(Double.init)
            ?? Double(now.nanosecondsSince1970) / 1e9
        return bounded(Double(end) - start)
    }

    private static func bounded(_ seconds: Double) -> Double? {
        seconds > 0 ? min(seconds, longest) : nil
    }

    /// Parses a text of decimal digits only.
    private static func wholeNumber(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }
}
