extension String {
    /// Whether the text has control characters or line separators, which no name has.
    package var hasControlCharacters: Bool { unicodeScalars.contains(where: Self.isControl) }

    /// The text without control characters and line separators.
    package var withoutControlCharacters: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { !Self.isControl($0) }))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        // Fast path: nearly all text is ASCII.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
