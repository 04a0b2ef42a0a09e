import JSON

/// A date of the proleptic Gregorian calendar, without a time or a time zone.
public struct CalendarDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The year, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Makes a date; nil when it does not exist.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.dayCount(year: year, month: month)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes the date a number of days after 1970-01-01, within the range of an `Instant`.
    init(ofInstantDay days: Int) {
        (year, month, day) = Self.civil(daysSince1970: days)
    }

    /// Reads `YYYY-MM-DD`; nil for anything else.
    public init?(iso8601 text: some StringProtocol) {
        var text = String(text)
        let date = text.withUTF8 { bytes -> CalendarDate? in
            var cursor = ISO8601Cursor(UnsafeRawBufferPointer(bytes))
            guard let date = cursor.takeDate(), cursor.isAtEnd else { return nil }
            return date
        }
        guard let date else { return nil }
        self = date
    }

    /// The date as `YYYY-MM-DD`.
    public var description: String {
        var buffer: [UInt8] = []
        buffer.appendDigits(year, count: 4)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(month, count: 2)
        buffer.append(UInt8(ascii: "-"))
        buffer.appendDigits(day, count: 2)
        return String(decoding: buffer, as: UTF8.self)
    }

    /// Orders dates by time.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func dayCount(year: Int, month: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate {
    /// The days from 1970-01-01 to this date; negative before it.
    ///
    /// The algorithm is `days_from_civil` of Howard Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms". Its years start in March, so that a leap day is the last day of a year.
    public var daysSince1970: Int {
        let shiftedYear = month <= 2 ? year - 1 : year  // never negative: the year is at least 1
        let era = shiftedYear / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The year, month and day `days` after 1970-01-01, for every day of an `Instant`.
    ///
    /// The algorithm is `civil_from_days` of the same paper.
    static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468  // positive since the year 0; an Instant starts in 1677
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
