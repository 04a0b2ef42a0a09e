import HTTPClient
import HealthModel

/// Reads how long a server wants to be left alone: `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// No server is left alone for longer, in seconds.
    static let longest = 3_600.0

    /// The seconds from now; nil when the header says nothing that makes sense, or the past.
    ///
    /// - Parameters:
    ///   - header: `Retry-After`, as seconds or as a date.
    ///   - date: The answer's `Date`: what the server takes for now, whatever clock it has.
    ///   - now: What counts where there is no such header.
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

    /// Digits and nothing else, however many.
    private static func wholeNumber(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Double(text)
    }
}
