/// A tag of XML or the text between two tags.
package enum XMLToken: Equatable {
    /// A tag opens; its names are without the prefix of their namespace.
    case start(name: String, attributes: [String: String])
    /// The newest open tag closes.
    case end(name: String)
    /// The text between two tags, if it is more than white space.
    case text(String)
}

/// A place behind a tag of a file.
package struct XMLPlace: Hashable, Sendable {
    /// The number of bytes before it.
    package let offset: Int
    /// The number of its line.
    package let line: Int

    /// Makes a place.
    package init(offset: Int, line: Int) {
        self.offset = offset
        self.line = line
    }
}

/// A queue of XML tokens, with limits on the size and nesting of a file.
package struct XMLTokens {
    package static let maximumDepth = 64
    package static let maximumNameLength = 256
    package static let maximumNameCount = 1_024
    package static let maximumAttributeCount = 64
    package static let maximumTextLength = 65_536

    private var tokens: [XMLToken] = []
    private var taken = 0
    /// The places behind some tokens, by the numbers of the tokens in the queue, in their order.
    private var places: [(token: Int, place: XMLPlace)] = []
    private var takenPlaces = 0
    /// The place behind the newest token that was taken and closed an element below the root, or opened
    /// the root.
    private(set) var place: XMLPlace?
    private var open: [String] = []
    private var text: [UInt8] = []
    /// The names in the file so far, each without its prefix.
    ///
    /// The parser stores every name until its end, so their number has a limit.
    private var localNames: [String: String] = [:]

    /// Removes the oldest token; nil when the queue is empty.
    mutating func next() -> XMLToken? {
        guard taken < tokens.count else {
            tokens.removeAll(keepingCapacity: true)
            taken = 0
            places.removeAll(keepingCapacity: true)
            takenPlaces = 0
            return nil
        }
        if takenPlaces < places.count, places[takenPlaces].token == taken {
            place = places[takenPlaces].place
            takenPlaces += 1
        }
        defer { taken += 1 }
        return tokens[taken]
    }

    /// Notes the place behind the newest token if only the root is open there.
    mutating func note(_ place: @autoclosure () -> XMLPlace) {
        guard open.count == 1, !tokens.isEmpty else { return }
        places.append((tokens.count - 1, place()))
    }

    /// Adds an opening tag.
    mutating func start(
        _ name: String, _ attributes: [(name: String, value: String)]
    ) throws(XMLError) {
        endText()
        guard open.count < Self.maximumDepth else {
            throw .unsupported("XML tags in more than \(Self.maximumDepth) levels", line: nil)
        }
        guard attributes.count <= Self.maximumAttributeCount else {
            throw .unsupported(
                "XML tags with more than \(Self.maximumAttributeCount) attributes", line: nil)
        }
        let name = try localName(name)
        var values: [String: String] = [:]
        for attribute in attributes {
            guard attribute.value.utf8.count <= Self.maximumTextLength else { throw Self.tooLong }
            let name = try localName(attribute.name)
            // xsi:type and type can be beside each other; the first one counts.
            if values[name] == nil { values[name] = attribute.value }
        }
        open.append(name)
        tokens.append(.start(name: name, attributes: values))
    }

    /// Adds the end of the newest open tag.
    mutating func end() {
        endText()
        guard let name = open.popLast() else { return }
        tokens.append(.end(name: name))
    }

    /// Adds a part of the text between two tags, in UTF-8.
    mutating func append(text part: UnsafeRawBufferPointer) throws(XMLError) {
        guard text.count + part.count <= Self.maximumTextLength else { throw Self.tooLong }
        text.append(contentsOf: part)
    }

    private static let tooLong = XMLError.unsupported(
        "XML texts of more than \(maximumTextLength) bytes", line: nil)

    private mutating func endText() {
        defer { text.removeAll(keepingCapacity: true) }
        guard text.contains(where: { !Self.isSpace($0) }) else { return }
        tokens.append(.text(String(decoding: text, as: UTF8.self)))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private mutating func localName(_ name: String) throws(XMLError) -> String {
        if let known = localNames[name] { return known }
        guard name.utf8.count <= Self.maximumNameLength else {
            throw .unsupported(
                "XML names of more than \(Self.maximumNameLength) bytes", line: nil)
        }
        guard localNames.count < Self.maximumNameCount else {
            throw .unsupported(
                "files with more than \(Self.maximumNameCount) different XML names", line: nil)
        }
        let colon = name.utf8.lastIndex(of: UInt8(ascii: ":"))
        let local = colon.map { String(name[name.index(after: $0)...]) } ?? name
        localNames[name] = local
        return local
    }
}
