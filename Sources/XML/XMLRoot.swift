/// The root element of an XML file, by the markup at the start of the file alone.
///
/// It is found in every encoding whose markup is in ASCII or UTF-16, also where the file is not
/// well-formed further on.
package enum XMLRoot {
    /// The name of the root, without the prefix of its namespace; nil when the bytes are no XML or end
    /// before it.
    ///
    /// A DOCTYPE has the name of the root too, which counts when the bytes end within its declarations.
    package static func name(_ start: [UInt8]) -> String? {
        guard let opening = XMLOpening(start) else { return nil }
        let markup = opening.markup(of: start)
        let prologue = XMLPrologue(markup)
        if let root = prologue.root { return name(in: markup[(root + 1)...]) }
        guard let doctype = prologue.doctype else { return nil }
        let rest = markup[doctype.start...].dropFirst(XMLPrologue.doctypeMark.utf8.count)
        return name(in: rest.drop(while: isSpace))
    }

    private static func name(in bytes: ArraySlice<UInt8>) -> String? {
        let name = bytes.prefix { !isSpace($0) && !">/[".utf8.contains($0) }
        let local = name.split(separator: UInt8(ascii: ":")).last
        return local.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}

extension XMLOpening {
    /// The bytes from the first `<`, of which those of two-byte characters are converted to UTF-8.
    fileprivate func markup(of bytes: [UInt8]) -> [UInt8] {
        let rest = bytes[start...]
        guard codeUnit != .byte else { return Array(rest) }
        let units = stride(from: start, to: bytes.count - 1, by: 2).map { place in
            let (first, last) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return codeUnit == .littleEndian ? last << 8 | first : first << 8 | last
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
