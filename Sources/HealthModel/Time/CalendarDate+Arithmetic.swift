extension CalendarDate {
    /// Makes the date a number of days after 1970-01-01; nil outside of the years 1 to 9999.
    public init?(daysSince1970 days: Int) {
        // 10,000 years have fewer days than this.
        guard days.magnitude < 4_000_000, days >= -719_162 else { return nil }
        let (year, month, day) = Self.civil(daysSince1970: days)
        self.init(year: year, month: month, day: day)
    }

    /// The date a number of days later, or earlier if negative; nil outside of the years 1 to 9999.
    public func adding(days: Int) -> CalendarDate? {
        let (sum, isOverflow) = daysSince1970.addingReportingOverflow(days)
        return isOverflow ? nil : CalendarDate(daysSince1970: sum)
    }

    /// The same day a number of months later, or the last day of a shorter month; nil outside of
    /// the years 1 to 9999.
    ///
    /// One month after January 31 is the last day of February.
    public func adding(months: Int) -> CalendarDate? {
        let (sum, isOverflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !isOverflow, sum >= 12 else { return nil }
        let (year, month) = sum.quotientAndRemainder(dividingBy: 12)
        for day in stride(from: self.day, through: 28, by: -1) {
            if let date = CalendarDate(year: year, month: month + 1, day: day) { return date }
        }
        return CalendarDate(year: year, month: month + 1, day: min(day, 28))
    }

    /// The day of the week by ISO 8601: 1 is Monday, 7 is Sunday.
    public var weekday: Int {
        // 1970-01-01 was a Thursday.
        let (_, rest) = (daysSince1970 + 3).quotientAndRemainder(dividingBy: 7)
        return (rest + 7) % 7 + 1
    }

    /// The number of days since the start of its week, which begins on a weekday.
    package func days(sinceWeekday first: Int) -> Int { (weekday - first + 7) % 7 }

    /// The whole years from an earlier date to this one, counted like a person's age.
    ///
    /// In a year without February 29, a person born on that day is a year older on March 1, as in
    /// the law of most countries.
    public func years(since earlier: CalendarDate) -> Int {
        let years = year - earlier.year
        return (month, day) < (earlier.month, earlier.day) ? years - 1 : years
    }
}
