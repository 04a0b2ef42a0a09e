/// Text as bytes in the encodings that XML files have.
package enum XMLEncoder: CaseIterable {
    /// An encoding.
    case utf8, utf16LittleEndian, utf16BigEndian, latin1

    /// The bytes without a byte-order mark; Latin-1 has the characters up to U+00FF only.
    package func bytes(_ text: String) -> [UInt8] {
        switch self {
        case .utf8: Array(text.utf8)
        case .utf16LittleEndian:
            text.utf16.flatMap {
                [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
            }
        case .utf16BigEndian:
            text.utf16.flatMap {
                [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)]
            }
        case .latin1: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
    }

    /// The byte-order mark; Latin-1 has none.
    package var mark: [UInt8] { self == .latin1 ? [] : bytes("\u{FEFF}") }

    /// The name in an XML declaration.
    package var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian, .utf16BigEndian: "UTF-16"
        case .latin1: "ISO-8859-1"
        }
    }
}
