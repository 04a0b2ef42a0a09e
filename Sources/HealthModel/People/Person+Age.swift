extension Person {
    /// How old the person is on a day, in whole years.
    ///
    /// Nil when the birth date is not known, or lies later: nobody's age is made up.
    public func age(on date: CalendarDate) -> Int? {
        guard let birthDate, birthDate <= date else { return nil }
        return date.years(since: birthDate)
    }
}
