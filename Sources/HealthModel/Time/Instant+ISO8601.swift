import JSON

extension Instant {
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000
    private static let secondsPerDay = 86_400
    /// The maximum length of an instant as text.
    static let maximumTextLength = 30  // 2026-11-21T18:15:00.123456789Z

    /// Reads what `init(iso8601:)` reads, from UTF-8.
    package init?(iso8601Bytes bytes: UnsafeRawBufferPointer) {
        var cursor = ISO8601Cursor(bytes)
        guard let date = cursor.takeDate() else { return nil }
        var time = (seconds: 0, nanoseconds: 0)
        var offset = 0
        if !cursor.isAtEnd {
            guard cursor.take(UInt8(ascii: "T")) || cursor.take(UInt8(ascii: " ")),
                let takenTime = cursor.takeTime(), let takenOffset = cursor.takeOffset(),
                cursor.isAtEnd
            else { return nil }
            (time, offset) = (takenTime, takenOffset)
        }
        let seconds = date.daysSince1970 * Self.secondsPerDay + time.seconds - offset
        self.init(seconds: Int64(seconds), nanoseconds: Int64(time.nanoseconds))
    }

    /// Makes an instant from whole seconds and 0 to 999,999,999 nanoseconds; nil when it is out of
    /// range.
    private init?(seconds: Int64, nanoseconds: Int64) {
        // The earliest instants are a fraction after a whole second that is itself out of range, so
        // before 1970 the fraction is subtracted from the next second.
        let isBefore1970 = seconds < 0
        let (whole, isFarAway) = (isBefore1970 ? seconds + 1 : seconds)
            .multipliedReportingOverflow(by: Self.nanosecondsPerSecond)
        let (sum, isOverflow) = whole.addingReportingOverflow(
            isBefore1970 ? nanoseconds - Self.nanosecondsPerSecond : nanoseconds)
        guard !isFarAway, !isOverflow else { return nil }
        self.init(nanosecondsSince1970: sum)
    }

    /// Appends `description` as ASCII, without creating a string.
    public func appendISO8601(to buffer: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maximumTextLength) { text in
            let count = writeISO8601(to: text)
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: text[..<count]))
        }
    }

    /// Writes `description` as ASCII and returns its length.
    func writeISO8601(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var (seconds, fraction) = nanosecondsSince1970.quotientAndRemainder(
            dividingBy: Self.nanosecondsPerSecond)
        if fraction < 0 {
            seconds -= 1
            fraction += Self.nanosecondsPerSecond
        }
        var (days, time) = Int(seconds).quotientAndRemainder(dividingBy: Self.secondsPerDay)
        if time < 0 {
            days -= 1
            time += Self.secondsPerDay
        }
        let date = CalendarDate.civil(daysSince1970: days)
        text.writeDigits(date.year, count: 4, at: 0)
        text[4] = UInt8(ascii: "-")
        text.writeDigits(date.month, count: 2, at: 5)
        text[7] = UInt8(ascii: "-")
        text.writeDigits(date.day, count: 2, at: 8)
        text[10] = UInt8(ascii: "T")
        text.writeDigits(time / 3_600, count: 2, at: 11)
        text[13] = UInt8(ascii: ":")
        text.writeDigits(time / 60 % 60, count: 2, at: 14)
        text[16] = UInt8(ascii: ":")
        text.writeDigits(time % 60, count: 2, at: 17)
        text[19] = UInt8(ascii: ".")
        return Self.writeEnd(fraction: Int(fraction), to: text)
    }

    /// Writes the fraction after the decimal point and the `Z`, and returns the length of the whole
    /// text.
    static func writeEnd(
        fraction nanoseconds: Int, to text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        let end = 20 + writeFraction(nanoseconds, to: text, at: 20)
        text[end] = UInt8(ascii: "Z")
        return end + 1
    }

    private static func writeFraction(
        _ nanoseconds: Int, to text: UnsafeMutableBufferPointer<UInt8>, at position: Int
    ) -> Int {
        let (digits, value) =
            if nanoseconds % 1_000_000 == 0 {
                (3, nanoseconds / 1_000_000)
            } else if nanoseconds % 1_000 == 0 {
                (6, nanoseconds / 1_000)
            } else {
                (9, nanoseconds)
            }
        text.writeDigits(value, count: digits, at: position)
        return digits
    }
}
