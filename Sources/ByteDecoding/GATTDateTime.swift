public import HealthModel

/// A Date Time of the GATT Specification Supplement (7 bytes): the device's local time without a zone.
///
/// Year, month or day is 0 when the device does not know it.
public struct GATTDateTime: Hashable, Sendable {
    /// The date, nil when a part of it is unknown.
    public let date: CalendarDate?
    /// The second of the day, 0 to 86,399.
    public let secondOfDay: Int

    /// Makes a date and time; nil when a part is out of range.
    public init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
            year == 0 || (1582...9999).contains(year), (0...12).contains(month),
            (0...31).contains(day)
        else { return nil }
        let isKnown = year != 0 && month != 0 && day != 0
        let date = isKnown ? CalendarDate(year: year, month: month, day: day) : nil
        guard !isKnown || date != nil else { return nil }
        self.date = date
        secondOfDay = hour * 3_600 + minute * 60 + second
    }

    /// The time in UTC of a device whose clock shows UTC plus `secondsFromUTC`.
    ///
    /// - Returns: nil when the date is unknown or outside the range of ``Instant``.
    public func instant(secondsFromUTC: Int = 0) -> Instant? {
        guard let date else { return nil }
        let (seconds, isOverflow) =
            (date.daysSince1970 * 86_400 + secondOfDay).subtractingReportingOverflow(secondsFromUTC)
        guard !isOverflow else { return nil }
        let (nanoseconds, isOutside) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isOutside ? nil : Instant(nanosecondsSince1970: nanoseconds)
    }
}

extension ByteReader {
    /// Reads a GATT Date Time, 7 bytes.
    ///
    /// - Throws: ``ByteDecodingError/invalid`` when the calendar has no such day or time.
    public mutating func dateTime() throws(ByteDecodingError) -> GATTDateTime {
        guard remainingCount >= 7 else { throw .truncated }
        let (year, month, day) = (try uint16(), try uint8(), try uint8())
        let (hour, minute, second) = (try uint8(), try uint8(), try uint8())
        guard
            let time = GATTDateTime(
                year: Int(year), month: Int(month), day: Int(day), hour: Int(hour),
                minute: Int(minute), second: Int(second))
        else { throw .invalid }
        return time
    }
}
