import HealthModel

/// Reads how long a server wants to be left alone: `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// No server is left alone for longer, in seconds.
    static let longest = 3_600.0

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The seconds from now; nil when the header says nothing that makes sense, or the past.
    ///
    /// - Parameters:
    ///   - header: `Retry-After`, as seconds or as a date.
    ///   - date: The answer's `Date`: what the server takes for now, whatever clock it has.
    ///   - now: What counts where there is no such header.
    static func seconds(_ header: String?, date: String?, now: Instant) -> Double? {
        guard let header else { return nil }
        if let digits = wholeNumber(header) { return bounded(digits) }
        guard let end = instant(header) else { return nil }
        let start = date.flatMap(instant) ?? now
        return bounded(Double(end.nanoseconds(since: start)) / 1e9)
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

    /// A date in one of the three ways of RFC 9110, section 5.6.7.
    static func instant(_ text: String) -> Instant? {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        guard words.count >= 5 else { return nil }
        // `Sun Nov  6 08:49:37 1994`, or `Sun, 06 Nov 1994 08:49:37 GMT`, or `Sunday, 06-Nov-94 …`.
        let isAsctime = words.count == 5
        guard isAsctime || (words.count == 6 && words[5] == "GMT"),
            let month = months.firstIndex(of: isAsctime ? words[1] : words[2]),
            let day = number(isAsctime ? words[2] : words[1], digits: 1...2),
            let year = year(isAsctime ? words[4] : words[3])
        else { return nil }
        let time = isAsctime ? words[3] : words[4]
        let date = [padded(year, 4), padded(month + 1, 2), padded(day, 2)].joined(separator: "-")
        return time.utf8.count == 8 ? Instant(iso8601: "\(date)T\(time)Z") : nil
    }

    /// Two digits are a year of this century: nobody sends such a date for the last one.
    private static func year(_ text: String) -> Int? {
        number(text, digits: 4...4) ?? number(text, digits: 2...2).map { 2_000 + $0 }
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        digits.contains(text.utf8.count) && wholeNumber(text) != nil ? Int(text) : nil
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
