/// A cursor that reads the parts of an ISO 8601 date and time from bytes.
struct ISO8601Cursor {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Takes `YYYY-MM-DD`.
    mutating func takeDate() -> CalendarDate? {
        guard let year = takeNumber(digits: 4), take(UInt8(ascii: "-")),
            let month = takeNumber(digits: 2), take(UInt8(ascii: "-")),
            let day = takeNumber(digits: 2)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    /// Takes `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fraction`; nil for a leap second, which POSIX time
    /// does not have.
    mutating func takeTime() -> (seconds: Int, nanoseconds: Int)? {
        guard let minutes = takeHoursAndMinutes() else { return nil }
        guard take(UInt8(ascii: ":")) else { return (minutes * 60, 0) }
        guard let seconds = takeNumber(digits: 2), seconds < 60 else { return nil }
        guard take(UInt8(ascii: ".")) else { return (minutes * 60 + seconds, 0) }
        guard let nanoseconds = takeFraction() else { return nil }
        return (minutes * 60 + seconds, nanoseconds)
    }

    /// Takes `Z`, `+hh:mm`, `+hhmm`, `+hh`, or the same with `-`, as seconds east of UTC.
    mutating func takeOffset() -> Int? {
        if take(UInt8(ascii: "Z")) { return 0 }
        let isWest = take(UInt8(ascii: "-"))
        guard isWest || take(UInt8(ascii: "+")), let hours = takeNumber(digits: 2), hours < 24
        else { return nil }
        let hasMinutes = take(UInt8(ascii: ":")) || !isAtEnd
        guard let minutes = hasMinutes ? takeNumber(digits: 2) : 0, minutes < 60 else { return nil }
        return (isWest ? -60 : 60) * (hours * 60 + minutes)
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func takeHoursAndMinutes() -> Int? {
        guard let hours = takeNumber(digits: 2), hours < 24, take(UInt8(ascii: ":")),
            let minutes = takeNumber(digits: 2), minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    private mutating func takeNumber(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let digit = takeDigit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Takes one digit or more, as nanoseconds; further digits are truncated.
    private mutating func takeFraction() -> Int? {
        guard var fraction = takeDigit() else { return nil }
        var count = 1
        while let digit = takeDigit() {
            guard count < 9 else { continue }
            fraction = fraction * 10 + digit
            count += 1
        }
        for _ in count..<9 { fraction *= 10 }
        return fraction
    }

    private mutating func takeDigit() -> Int? {
        guard position < bytes.count else { return nil }
        let digit = bytes[position] &- UInt8(ascii: "0")
        guard digit < 10 else { return nil }
        position += 1
        return Int(digit)
    }
}
