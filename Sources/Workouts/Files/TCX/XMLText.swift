/// What stands between the tags of XML or in an attribute.
enum XMLText {
    private static let longestText = 65_536
    private static let longestReference = 10

    /// Text with its references replaced; nil when it is only white space.
    ///
    /// - Parameter isRaw: Whether the text has no references (CDATA).
    static func plain(
        _ raw: ArraySlice<UInt8>, isRaw: Bool
    ) throws(WorkoutFileError) -> String? {
        guard raw.contains(where: { !isSpace($0) }) else { return nil }
        guard raw.count <= longestText else { throw .tooMany("characters in one XML text") }
        guard isRaw || !raw.contains(UInt8(ascii: "&")) else { return try replacingReferences(raw) }
        guard let text = String(validating: raw, as: UTF8.self) else {
            throw .damaged("XML text is not UTF-8")
        }
        return text
    }

    private static func replacingReferences(
        _ raw: ArraySlice<UInt8>
    ) throws(WorkoutFileError) -> String {
        var plain: [UInt8] = []
        var rest = raw
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            plain += rest[..<ampersand]
            let name = rest[(ampersand + 1)...].prefix(longestReference)
            guard let end = name.firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(named: String(decoding: name[..<end], as: UTF8.self))
            else { throw .damaged("XML names a character that is not known") }
            plain += Array(String(scalar).utf8)
            rest = rest[(end + 1)...]
        }
        guard let text = String(validating: plain + rest, as: UTF8.self) else {
            throw .damaged("XML text is not UTF-8")
        }
        return text
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "quot": "\""
        case "apos": "'"
        case _ where name.hasPrefix("#x"):
            UInt32(name.dropFirst(2), radix: 16).flatMap(allowed)
        case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap(allowed)
        default: nil
        }
    }

    private static func allowed(_ number: UInt32) -> Unicode.Scalar? {
        Unicode.Scalar(number).flatMap { XMLWriter.isAllowed($0) ? $0 : nil }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
