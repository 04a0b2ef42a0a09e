extension JSON5Parser {
    /// Skips white space, line ends and comments.
    mutating func skipBlanks() throws(JSONError) {
        while let byte = next {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                position += 1
            } else if blankLength > 0 {
                position += blankLength
            } else if bytes[position...].starts(with: "//".utf8) {
                while let byte = next, !byte.isLineEnd { position += 1 }
            } else if bytes[position...].starts(with: "/*".utf8) {
                try skipComment()
            } else {
                return
            }
        }
    }

    /// The length in bytes of a blank beyond ASCII at the position; 0 when there is none.
    ///
    /// Such blanks are the no-break space, the byte order mark, and Unicode's line ends and spaces
    /// (Zs).
    var blankLength: Int {
        guard let byte = next, byte >= 0x80 else { return 0 }
        let rest = bytes[position...].prefix(3)
        if rest.starts(with: [0xC2, 0xA0]) { return 2 }
        let isBlank: Bool =
            switch (byte, rest.dropFirst().first, rest.dropFirst(2).first) {
            case (0xEF, 0xBB, 0xBF), (0xE1, 0x9A, 0x80), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
                true
            case (0xE2, 0x80, let last?):
                (0x80...0x8A).contains(last) || [0xA8, 0xA9, 0xAF].contains(last)
            default: false
            }
        return isBlank ? 3 : 0
    }

    private mutating func skipComment() throws(JSONError) {
        let start = position
        position += 2
        while !bytes[position...].starts(with: "*/".utf8) {
            guard position < bytes.count else { throw error("unterminated comment", at: start) }
            position += 1
        }
        position += 2
    }
}
