extension Person {
    /// The age of the person on a day, in whole years; nil when the birth date is unknown or later.
    public func age(on date: CalendarDate) -> Int? {
        guard let birthDate, birthDate <= date else { return nil }
        return date.years(since: birthDate)
    }
}
