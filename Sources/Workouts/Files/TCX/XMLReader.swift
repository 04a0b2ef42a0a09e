/// Reads XML from its beginning to its end, one tag after the other (XML 1.0, fifth edition).
///
/// It is strict and small: UTF-8 only, no document type, no entities but the five of XML itself and
/// characters by number. So nothing can expand, nothing is fetched, and what is kept is bounded by the
/// limits here.
struct XMLReader {
    enum Token: Equatable {
        /// A tag opens; its names are without the prefix of their namespace.
        case start(name: String, attributes: [String: String])
        /// The newest open tag closes.
        case end(name: String)
        /// What stands between two tags, if it is more than white space.
        case text(String)
    }

    static let deepest = 64
    private static let longestName = 256
    private static let mostAttributes = 64

    private let bytes: [UInt8]
    private var position: Int
    private var open: [String] = []
    private var hasRoot = false
    /// The end of a tag that closed itself.
    private var pendingEnd = false

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether bytes begin as XML in UTF-8 does.
    static func isXML(_ bytes: [UInt8]) -> Bool {
        let start = bytes.starts(with: mark) ? mark.count : 0
        return start < bytes.count && bytes[start] == UInt8(ascii: "<")
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: Self.mark) ? Self.mark.count : 0
    }

    /// The next token; nil at the end.
    mutating func next() throws(WorkoutFileError) -> Token? {
        if pendingEnd {
            pendingEnd = false
            return .end(name: open.removeLast())
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                guard let text = try readText() else { continue }
                return .text(text)
            }
            if let token = try readMarkup() { return token }
        }
        guard hasRoot, open.isEmpty else { throw .damaged("an XML tag is not closed") }
        return nil
    }

    /// Reads what begins with `<`; nil for a comment or an instruction.
    private mutating func readMarkup() throws(WorkoutFileError) -> Token? {
        if take("<!--") {
            try skip(through: "-->")
            return nil
        }
        if take("<?") {
            try skip(through: "?>")
            return nil
        }
        if take("<![CDATA[") {
            let start = position
            try skip(through: "]]>")
            return try XMLText.plain(bytes[start..<position - 3], isRaw: true).map { .text($0) }
        }
        guard !take("<!") else { throw .damaged("XML with a document type is not read") }
        if take("</") { return try readEnd() }
        position += 1
        return try readStart()
    }

    private mutating func readEnd() throws(WorkoutFileError) -> Token {
        let name = try readName()
        skipSpace()
        guard take(">"), open.last == name else {
            throw .damaged("an XML tag is closed that is not open")
        }
        return .end(name: open.removeLast())
    }

    private mutating func readStart() throws(WorkoutFileError) -> Token {
        let name = try readName()
        guard !hasRoot || !open.isEmpty else { throw .damaged("XML has more than one root") }
        guard open.count < Self.deepest else { throw .tooMany("XML tags in each other") }
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = skipSpace()
            if take(">") { break }
            if take("/>") {
                pendingEnd = true
                break
            }
            guard hadSpace, attributes.count < Self.mostAttributes else {
                throw .damaged("an XML tag is not well-formed")
            }
            let (name, value) = try readAttribute()
            // xsi:type and type may stand beside each other; the first one is kept.
            if attributes[name] == nil { attributes[name] = value }
        }
        hasRoot = true
        open.append(name)
        return .start(name: name, attributes: attributes)
    }

    private mutating func readAttribute() throws(WorkoutFileError) -> (String, String) {
        let name = try readName()
        skipSpace()
        guard take("=") else { throw .damaged("an XML attribute has no value") }
        skipSpace()
        guard position < bytes.count else { throw .damaged("an XML tag is cut off") }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw .damaged("an XML attribute has no quotation marks")
        }
        position += 1
        guard let end = bytes[position...].firstIndex(of: quote) else {
            throw .damaged("an XML attribute has no end")
        }
        defer { position = end + 1 }
        guard !bytes[position..<end].contains(UInt8(ascii: "<")) else {
            throw .damaged("an XML attribute contains a tag")
        }
        return (name, try XMLText.plain(bytes[position..<end], isRaw: false) ?? "")
    }

    private mutating func readText() throws(WorkoutFileError) -> String? {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let text = try XMLText.plain(bytes[start..<position], isRaw: false)
        guard text == nil || !open.isEmpty else { throw .damaged("there is text outside of XML") }
        return text
    }

    /// A name without its prefix; names are compared byte by byte and never shown.
    private mutating func readName() throws(WorkoutFileError) -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        let name = bytes[start..<position]
        guard let first = name.first, !(0x2D...0x39 ~= first), name.count <= Self.longestName,
            let text = String(validating: name, as: UTF8.self)
        else { throw .damaged("an XML name is not valid") }
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return text }
        return String(text[text.index(after: colon)...])
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, XMLText.isSpace(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func take(_ text: StaticString) -> Bool {
        let isHere = text.withUTF8Buffer { bytes[position...].starts(with: $0) }
        if isHere { position += text.utf8CodeUnitCount }
        return isHere
    }

    private mutating func skip(through text: StaticString) throws(WorkoutFileError) {
        while position < bytes.count {
            if take(text) { return }
            position += 1
        }
        throw .damaged("a part of XML has no end")
    }
}
