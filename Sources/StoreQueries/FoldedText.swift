import Platform

extension StringProtocol {
    /// The text in small letters, Latin and Greek ones without diacritics: `Zoë` is `zoe`, `Øl` is
    /// `ol`, `Straße` is `strasse`.
    ///
    /// Two texts that differ only in case, diacritics and their Unicode normal form become equal.
    /// Marks of other scripts remain, because they make other letters there.
    var withoutCaseAndDiacritics: String {
        guard !utf8.allSatisfy({ $0 < 0x80 }) else { return lowercased() }
        // By the capital letters: ß has two of them, and both small sigmas have the same one.
        return lowercased().uppercased().reduce(into: "") { $0 += $1.smallWithoutDiacritics }
    }
}

extension Character {
    fileprivate var smallWithoutDiacritics: String {
        guard let first = unicodeScalars.first else { return "" }
        guard let base = first.letterWithoutDiacritics else { return lowercased() }
        // The marks follow their letter; what is no mark stays.
        let rest = unicodeScalars.dropFirst().filter {
            $0.properties.generalCategory != .nonspacingMark
        }
        return String(String.UnicodeScalarView([base] + rest)).small
    }
}

extension String {
    /// Small letters without regard to the place in a word, which changes a sigma.
    fileprivate var small: String { unicodeScalars.map(\.properties.lowercaseMapping).joined() }
}

extension Unicode.Scalar {
    private static let latinCapitals: ClosedRange<Unicode.Scalar> = "A"..."Z"
    private static let greekCapitals: ClosedRange<Unicode.Scalar> = "\u{391}"..."\u{3A9}"
    private static let greekNames = names(of: greekCapitals)
    private static let latinNames = names(of: latinCapitals)

    private static func names(
        of letters: ClosedRange<Unicode.Scalar>
    ) -> [Substring: Unicode.Scalar] {
        let scalars = (letters.lowerBound.value...letters.upperBound.value)
            .compactMap(Unicode.Scalar.init)
        let named = scalars.compactMap { scalar in
            scalar.properties.name.map { ($0[...], scalar) }
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }

    /// The Latin or Greek capital letter without diacritics; nil for other characters.
    ///
    /// The names of Unicode have the letter before its diacritics: `LATIN CAPITAL LETTER E WITH
    /// CIRCUMFLEX AND ACUTE`.
    fileprivate var letterWithoutDiacritics: Unicode.Scalar? {
        if Self.latinCapitals.contains(self) { return self }
        guard value >= 0x80, let name = properties.name else { return nil }
        let base = name.firstRange(ofText: " WITH ").map { name[..<$0.lowerBound] } ?? name[...]
        return Self.latinNames[base] ?? Self.greekNames[base]
    }
}
