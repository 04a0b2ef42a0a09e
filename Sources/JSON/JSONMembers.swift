/// The members of an object in JSON5 text, each available as a tree or as its bytes.
///
/// The whole text is validated as strictly as by ``JSONValue/init(json5:)``, but trees are built
/// only on request, so that a specialised decoder can read the bytes of a large value.
package struct JSONMembers: Sendable {
    private let bytes: [UInt8]
    private let ranges: [String: Range<Int>]

    /// Finds the members of an object.
    ///
    /// - Throws: ``JSONError`` with the line and column of a syntax error or a duplicate key, or
    /// when the
    ///   text is not an object.
    package init(json5 text: String) throws(JSONError) {
        try JSONValue.checkSize(of: text)
        bytes = Array(text.utf8)
        var parser = JSON5Parser(bytes)
        var otherKind: String?
        ranges = try parser.parseWhole { parser throws(JSONError) in
            try parser.skipBlanks()
            if parser.next == UInt8(ascii: "{") { return try parser.memberRanges(depth: 0) }
            otherKind = try parser.readValue(depth: 0).kind
            return [:]
        }
        if let otherKind {
            throw JSONError(path: "", problem: "expected an object, found \(otherKind)")
        }
    }

    /// The bytes of a value in the text, without surrounding blanks; nil when the key is missing.
    package func bytes(of key: String) -> ArraySlice<UInt8>? {
        ranges[key].map { bytes[$0] }
    }

    /// The bytes of each element of a list; nil when the key is missing.
    ///
    /// - Throws: ``JSONError`` when the value is not a list.
    package func elements(of key: String) throws(JSONError) -> [ArraySlice<UInt8>]? {
        guard let range = ranges[key] else { return nil }
        var parser = JSON5Parser(bytes, at: range.lowerBound)
        guard parser.next == UInt8(ascii: "[") else {
            let kind = try parser.readValue(depth: 1).kind
            throw JSONError(path: key, problem: "expected a list, found \(kind)")
        }
        return try parser.elementRanges(depth: 1).map { bytes[$0] }
    }

    /// The value of a key as a tree; nil when the key is missing.
    package func value(of key: String) throws(JSONError) -> JSONValue? {
        guard let range = ranges[key] else { return nil }
        var parser = JSON5Parser(bytes, at: range.lowerBound)
        return try parser.readValue(depth: 1)
    }

    /// The object as a tree, without some of its members.
    package func value(without keys: [String] = []) throws(JSONError) -> JSONValue {
        var object: [String: JSONValue] = [:]
        for key in ranges.keys where !keys.contains(key) { object[key] = try value(of: key) }
        return .object(object)
    }
}
