/// The start of the markup of an XML file, after its byte-order mark and white space.
///
/// XML allows no white space before its declaration, but some programs write it.
package struct XMLOpening {
    /// The width of the characters of XML's markup.
    enum CodeUnit: Equatable {
        case byte
        case littleEndian
        case bigEndian
    }

    /// The number of bytes in the byte-order mark.
    let mark: Int
    let codeUnit: CodeUnit
    /// The index of the first `<`.
    let start: Int
    /// The number of line ends before it.
    let skippedLines: Int

    /// Fails where the first character that is not white space is not `<`.
    package init?(_ bytes: [UInt8]) {
        let (mark, codeUnit) = Self.form(of: bytes)
        let width = codeUnit == .byte ? 1 : 2
        var (position, lines) = (mark, 0)
        while position + width <= bytes.count {
            let first = UInt16(bytes[position])
            let last = UInt16(bytes[position + width - 1])
            let character =
                switch codeUnit {
                case .byte: first
                case .littleEndian: last << 8 | first
                case .bigEndian: first << 8 | last
                }
            switch character {
            case 0x0A: lines += 1
            case 0x09, 0x0D, 0x20: break
            case 0x3C:
                self.mark = mark
                self.codeUnit = codeUnit
                start = position
                skippedLines = lines
                return
            default: return nil
            }
            position += width
        }
        return nil
    }

    /// XML 1.0, appendix F.1: without a mark, zeros show that an ASCII character has two bytes.
    private static func form(of bytes: [UInt8]) -> (mark: Int, CodeUnit) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (3, .byte) }
        guard bytes.count >= 2 else { return (0, .byte) }
        return switch (bytes[0], bytes[1]) {
        case (0xFF, 0xFE): (2, .littleEndian)
        case (0xFE, 0xFF): (2, .bigEndian)
        case (_, 0): (0, .littleEndian)
        case (0, _): (0, .bigEndian)
        default: (0, .byte)
        }
    }
}
