/// The windows-1252 encoding, which expat does not support.
enum Windows1252 {
    /// The characters of the bytes 0x80 to 0x9F; the other bytes are those of ISO 8859-1.
    ///
    /// WHATWG Encoding Standard, index windows-1252.
    private static let differences: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
        0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// Whether an XML declaration names this encoding.
    static func isName(_ name: String) -> Bool {
        ["windows-1252", "cp1252"].contains(name.lowercased())
    }

    /// The character of a byte.
    static func character(_ byte: UInt8) -> UInt16 {
        0x80...0x9F ~= byte ? differences[Int(byte) - 0x80] : UInt16(byte)
    }
}
