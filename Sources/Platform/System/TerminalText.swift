/// Text for a terminal, on which the content of records must have no effect.
package enum TerminalText {
    /// The bytes with control characters and invisible format characters, such as those that turn
    /// the direction of the text, escaped as in JSON.
    ///
    /// Line breaks and tabs are kept, and what ``LogFormat/escaped(_:)`` keeps: a text that it has made is as
    /// wide as before.
    ///
    /// - Parameter sequences: Further sequences to keep, such as those of styles.
    package static func escaped(
        _ bytes: [UInt8], keeping sequences: [[Unicode.Scalar]] = []
    ) -> [UInt8] {
        guard !bytes.allSatisfy(isPlain) else { return bytes }
        var result = String.UnicodeScalarView()
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        var previous: Unicode.Scalar?
        while let scalar = rest.first {
            if let kept = sequences.first(where: { rest.starts(with: $0) }) {
                result += rest.prefix(kept.count)
                rest = rest.dropFirst(kept.count)
                previous = nil
                continue
            }
            rest = rest.dropFirst()
            let isBlank = scalar == "\n" || scalar == "\t" || scalar == "\r" && rest.first == "\n"
            if isBlank || scalar.isShown(between: previous, and: rest.first) {
                result.append(scalar)
            } else {
                result += escape(scalar).unicodeScalars
            }
            previous = scalar
        }
        return Array(String(result).utf8)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20...0x7E ~= byte || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
    }

    /// `\u202e`; two of them above U+FFFF.
    private static func escape(_ scalar: Unicode.Scalar) -> String {
        UTF16.encode(scalar).map(Array.init)?.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined() ?? ""
    }
}
