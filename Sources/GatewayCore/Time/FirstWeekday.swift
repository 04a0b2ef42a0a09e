import Glibc

/// The first day of a week in a locale, by ISO 8601: 1 is Monday, 7 is Sunday.
enum FirstWeekday {
    private static let monday = 1

    /// The first weekday of the environment's locale (`$LC_ALL`, `$LC_TIME`, `$LANG`; locale(7)).
    ///
    /// It is Monday without a locale, which is `C` or `POSIX`, and where the locale is not
    /// installed.
    static let ofLocale: Int = {
        guard let locale = newlocale(LC_TIME_MASK, "", nil) else { return monday }
        defer { freelocale(locale) }
        // _NL_LOCALE_NAME(LC_TIME), a macro that Swift does not import.
        guard let name = nl_langinfo_l(nl_item(LC_TIME << 16 | 0xFFFF), locale),
            !isNoLocale(String(cString: name)),
            let first = nl_langinfo_l(nl_item(_NL_TIME_FIRST_WEEKDAY), locale)
        else { return monday }
        // This item is a number in place of the address.
        let week = nl_langinfo_l(nl_item(_NL_TIME_WEEK_1STDAY), locale)
        return number(first: Int(first.pointee), week: Int(bitPattern: week) & 0xFFFF_FFFF)
    }()

    /// Whether a locale has no country: `C`, `C.UTF-8` or `POSIX`.
    static func isNoLocale(_ name: String) -> Bool {
        let language = name.prefix { $0 != "." }
        return language.isEmpty || language == "C" || language == "POSIX"
    }

    /// The weekday of glibc's `first_weekday`, which counts from the day of its `week` (locale(5)).
    ///
    /// - Parameters:
    ///   - first: 1 for the day of `week`, 2 for the next day.
    ///   - week: A date as a number: 19971130, a Sunday, or 19971201, a Monday.
    static func number(first: Int, week: Int) -> Int {
        guard (1...7).contains(first) else { return monday }
        let start = week == 19_971_201 ? 1 : 7
        return (start + first - 2) % 7 + 1
    }
}
