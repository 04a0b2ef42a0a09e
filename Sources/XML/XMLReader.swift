import CExpat

/// An XML reader on libexpat that goes through a file piece by piece.
///
/// It reads UTF-8, UTF-16, ISO 8859-1, US-ASCII and windows-1252. It never opens another file and
/// expands only the five predefined entities and character references: a DOCTYPE is skipped, and
/// one with declarations (entities, default attributes) is rejected where they start, unless the
/// reader is lenient. A reference to another entity is an error; in an attribute, after a DOCTYPE,
/// it is omitted.
package final class XMLReader {
    private static let pieceSize = 64 << 10
    /// The longest tag or comment, in bytes.
    ///
    /// expat reads an incomplete one again with each piece.
    private static let maximumMarkupSize = 1 << 20
    private static let undefinedEntity = "undefined entity"

    /// The newest piece of the file, of which expat has read the bytes up to `position`.
    private var bytes: [UInt8]
    private var isLast: Bool
    /// The number of bytes in the pieces before the newest one.
    private var earlierCount = 0
    private let isLenient: Bool
    private let opening: XMLOpening
    private let parser: XML_Parser
    private var position = 0
    private var tokens = XMLTokens()
    private var failure: XMLError?
    /// The numbers of bytes and lines of the file that are left out before the newest piece.
    private var skipped = (bytes: 0, lines: 0)
    /// Whether the encoding is that of the first bytes, whatever the declaration says.
    private var ignoresDeclaration = false

    /// Makes a reader of a file, or of its first piece.
    ///
    /// - Parameters:
    ///   - isLast: Whether these are all bytes of the file; else ``append(_:isLast:)`` adds more.
    ///   - isLenient: Whether the declarations in a DOCTYPE are skipped unread, within the first
    ///     piece, and control characters count as spaces.
    /// - Throws: when the bytes do not start like XML.
    package init(
        _ bytes: [UInt8], isLast: Bool = true, isLenient: Bool = false
    ) throws(XMLError) {
        guard let opening = XMLOpening(bytes) else { throw .notXML }
        guard let parser = XML_ParserCreate(nil) else { throw .corrupt("out of memory") }
        self.bytes = bytes
        self.isLast = isLast
        self.isLenient = isLenient && opening.codeUnit == .byte
        if self.isLenient {
            XMLPrologue.blankDoctype(&self.bytes, isComplete: isLast)
            XMLPrologue.blankControls(&self.bytes)
        }
        self.opening = opening
        self.parser = parser
        begin()
    }

    deinit { XML_ParserFree(parser) }

    /// Adds the next piece of the file, after ``next()`` has returned nil.
    package func append(_ piece: [UInt8], isLast: Bool) {
        earlierCount += bytes.count
        bytes = piece
        if isLenient { XMLPrologue.blankControls(&bytes) }
        position = 0
        self.isLast = isLast
        // XML_Parse learns of the end with a last piece, which may be empty.
        if piece.isEmpty, isLast, failure == nil { parsePiece() }
    }

    /// Continues behind an element below the root, after ``next()`` has returned nil behind the root's
    /// opening tag.
    ///
    /// - Parameter place: The place of the bytes that ``append(_:isLast:)`` adds next.
    package func skip(to place: XMLPlace) {
        skipped = (place.offset - earlierCount - bytes.count, place.line - line)
    }

    /// The place behind the newest token that closed an element below the root or opened the root.
    ///
    /// The rest of the file can be read from there with ``skip(to:)``. Nil before such a token.
    package var place: XMLPlace? { tokens.place }

    /// The next token; nil at the end of the bytes so far.
    package func next() throws(XMLError) -> XMLToken? {
        while true {
            if let token = tokens.next() { return token }
            if let failure { throw failure }
            guard position < bytes.count else { return nil }
            parsePiece()
        }
    }

    /// Sets the handlers and gives expat the byte-order mark, but no white space after it.
    private func begin() {
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(parser, elementStarted, elementEnded)
        XML_SetCharacterDataHandler(parser, textArrived)
        XML_SetStartDoctypeDeclHandler(parser, doctypeStarted)
        XML_SetSkippedEntityHandler(parser, entitySkipped)
        XML_SetUnknownEncodingHandler(
            parser, encodingNamed, Unmanaged.passUnretained(self).toOpaque())
        _ = parse(0..<opening.mark)
        position = opening.start
    }

    private func parsePiece() {
        let end = min(position + Self.pieceSize, bytes.count)
        let isParsed = parse(position..<end)
        position = end
        guard isParsed else { return stopped() }
        let incomplete = XML_GetCurrentByteIndex(parser)
        let fed = opening.mark + earlierCount + end - opening.start
        if incomplete >= 0, fed - incomplete > Self.maximumMarkupSize {
            let what = "XML tags and comments of more than \(Self.maximumMarkupSize >> 20) MiB"
            failure = .unsupported(what, line: line)
        }
    }

    private func parse(_ range: Range<Int>) -> Bool {
        bytes[range].withUnsafeBytes { piece in
            piece.withMemoryRebound(to: XML_Char.self) { characters in
                XML_Parse(
                    parser, characters.baseAddress, CInt(characters.count),
                    isLast && range.upperBound == bytes.count ? 1 : 0) == XML_STATUS_OK
            }
        }
    }

    private func stopped() {
        guard failure == nil else { return }
        let code = XML_GetErrorCode(parser)
        // Programs that convert a file, or write UTF-16 into a string first, leave a wrong encoding
        // name.
        if code == XML_ERROR_INCORRECT_ENCODING, !ignoresDeclaration, earlierCount == 0 {
            ignoresDeclaration = true
            XML_ParserReset(parser, opening.codeUnit == .byte ? "UTF-8" : "UTF-16")
            return begin()
        }
        let reason = XML_ErrorString(code).map { String(cString: $0) } ?? "error \(code.rawValue)"
        // expat reports "no element found" for a file that was truncated between two tags.
        fail(code == XML_ERROR_NO_ELEMENTS ? "unexpected end of file" : reason)
    }

    private func fail(_ reason: String) {
        stop(.corrupt("line \(line): \(reason)"))
    }

    /// The line that expat has reached.
    private var line: Int {
        opening.skippedLines + skipped.lines + Int(XML_GetCurrentLineNumber(parser))
    }

    /// The place behind the tag that expat reports.
    private var here: XMLPlace {
        let end = Int(XML_GetCurrentByteIndex(parser)) + Int(XML_GetCurrentByteCount(parser))
        return XMLPlace(
            offset: end - opening.mark + opening.start + skipped.bytes, line: line)
    }

    private func stop(_ error: XMLError) {
        failure = error
        XML_StopParser(parser, 0)
    }

    /// Changes the tokens, unless there was an error: expat may still report something after it.
    fileprivate func add(_ change: (inout XMLTokens) throws(XMLError) -> Void) {
        guard failure == nil else { return }
        do {
            try change(&tokens)
        } catch .unsupported(let what, line: _) {
            stop(.unsupported(what, line: line))
        } catch {
            stop(error)
        }
    }

    /// Adds what a tag changes, and notes the place behind it.
    fileprivate func addTag(_ change: (inout XMLTokens) throws(XMLError) -> Void) {
        add(change)
        if failure == nil { tokens.note(here) }
    }

    fileprivate func skippedEntity() { fail(Self.undefinedEntity) }

    fileprivate func foundDeclarations() { stop(.declarations) }

    fileprivate func cannotDecode(_ encoding: String) { failure = .encoding(encoding) }

    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func elementStarted(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    pairs: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    guard let name, var pair = pairs else { return }
    var attributes: [(name: String, value: String)] = []
    // One attribute above the limit is enough to reject them.
    while attributes.count <= XMLTokens.maximumAttributeCount, let name = pair[0],
        let value = pair[1]
    {
        attributes.append((String(cString: name), String(cString: value)))
        pair += 2
    }
    XMLReader.of(context)?.addTag { (tokens) throws(XMLError) in
        try tokens.start(String(cString: name), attributes)
    }
}

private func elementEnded(context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?) {
    XMLReader.of(context)?.addTag { $0.end() }
}

private func textArrived(
    context: UnsafeMutableRawPointer?, characters: UnsafePointer<XML_Char>?, count: CInt
) {
    XMLReader.of(context)?.add { (tokens) throws(XMLError) in
        try tokens.append(text: UnsafeRawBufferPointer(start: characters, count: Int(count)))
    }
}

private func doctypeStarted(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    systemID: UnsafePointer<XML_Char>?, publicID: UnsafePointer<XML_Char>?,
    hasDeclarations: CInt
) {
    if hasDeclarations != 0 { XMLReader.of(context)?.foundDeclarations() }
}

private func entitySkipped(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?, isParameter: CInt
) {
    XMLReader.of(context)?.skippedEntity()
}

/// Describes a single-byte encoding that expat does not support: the character of each byte.
private func encodingNamed(
    context: UnsafeMutableRawPointer?, name: UnsafePointer<XML_Char>?,
    encoding: UnsafeMutablePointer<XML_Encoding>?
) -> CInt {
    guard let name = name.map({ String(cString: $0) }), let encoding else { return 0 }
    guard Windows1252.isName(name) else {
        XMLReader.of(context)?.cannotDecode(String(name.prefix(40)))
        return 0
    }
    withUnsafeMutableBytes(of: &encoding.pointee.map) { map in
        for byte in UInt8.min ... .max {
            map.storeBytes(
                of: CInt(Windows1252.character(byte)),
                toByteOffset: Int(byte) * MemoryLayout<CInt>.size, as: CInt.self)
        }
    }
    return 1
}
