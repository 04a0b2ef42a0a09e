import Platform

/// A parser for JSON5 (json5.org, version 1.0.0) that reports the position of an error.
///
/// Foundation's decoder supports JSON5 too, but reports neither the position of an error nor a
/// duplicate key, of which it silently drops one: a sink could disappear unnoticed.
struct JSON5Parser {
    /// The maximum nesting depth.
    static let depthLimit = 64

    let bytes: [UInt8]
    var position: Int
    /// The path to the position, the innermost step last; it is formatted only for an error.
    private var path: [Step] = []

    /// A step from an object or a list to one of its values.
    private enum Step {
        case key(String)
        case index(Int)
    }

    init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Makes a parser of UTF-8 bytes that starts at a position.
    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Reads the whole text as one value.
    mutating func parse() throws(JSONError) -> JSONValue {
        try parseWhole { parser throws(JSONError) in try parser.readValue(depth: 0) }
    }

    /// Reads the whole text with a function.
    mutating func parseWhole<Value>(
        _ read: (inout JSON5Parser) throws(JSONError) -> Value
    ) throws(JSONError) -> Value {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try read(&self)
        try skipBlanks()
        guard position == bytes.count else { throw error("expected the end of the file") }
        return value
    }

    mutating func readValue(depth: Int) throws(JSONError) -> JSONValue {
        try skipToValue(depth: depth)
        switch next {
        case UInt8(ascii: "{"):
            return .object(
                try readMembers { parser throws(JSONError) in
                    try parser.readValue(depth: depth + 1)
                })
        case UInt8(ascii: "["):
            return .array(
                try readElements { parser throws(JSONError) in
                    try parser.readValue(depth: depth + 1)
                })
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try readString())
        default: return try readWord()
        }
    }

    private mutating func skipToValue(depth: Int) throws(JSONError) {
        guard depth <= Self.depthLimit else {
            throw error("nested deeper than \(Self.depthLimit) levels")
        }
        try skipBlanks()
    }

    /// Validates a value and returns its range of bytes.
    mutating func skipValue(depth: Int) throws(JSONError) -> Range<Int> {
        try skipToValue(depth: depth)
        let start = position
        switch next {
        case UInt8(ascii: "{"): _ = try memberRanges(depth: depth)
        case UInt8(ascii: "["): _ = try elementRanges(depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try readString()
        default: _ = try readWord()
        }
        return start..<position
    }

    /// Validates an object and returns the ranges of its values.
    mutating func memberRanges(depth: Int) throws(JSONError) -> [String: Range<Int>] {
        try readMembers { parser throws(JSONError) in try parser.skipValue(depth: depth + 1) }
    }

    /// Validates a list and returns the ranges of its elements.
    mutating func elementRanges(depth: Int) throws(JSONError) -> [Range<Int>] {
        try readElements { parser throws(JSONError) in try parser.skipValue(depth: depth + 1) }
    }

    private mutating func readMembers<Value>(
        _ read: (inout JSON5Parser) throws(JSONError) -> Value
    ) throws(JSONError) -> [String: Value] {
        position += 1
        var object: [String: Value] = [:]
        while try !consume("}") {
            let start = position
            let key = try readKey()
            path.append(.key(key))
            if object[key] != nil { throw error("duplicate key", at: start) }
            guard try consume(":") else { throw error("expected `:` after the key") }
            object[key] = try read(&self)
            path.removeLast()
            if try consume(",") { continue }
            guard try consume("}") else { throw error("expected `,` or `}`") }
            break
        }
        return object
    }

    private mutating func readElements<Value>(
        _ read: (inout JSON5Parser) throws(JSONError) -> Value
    ) throws(JSONError) -> [Value] {
        position += 1
        var array: [Value] = []
        while try !consume("]") {
            path.append(.index(array.count))
            array.append(try read(&self))
            path.removeLast()
            if try consume(",") { continue }
            guard try consume("]") else { throw error("expected `,` or `]`") }
            break
        }
        return array
    }

    private mutating func readKey() throws(JSONError) -> String {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try readString() }
        let start = position
        while let byte = next, byte.isNameByte, blankLength == 0 { position += 1 }
        guard position > start, !bytes[start].isDigit else {
            throw error("expected a key or `}`", at: start)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads a number or one of the literals.
    private mutating func readWord() throws(JSONError) -> JSONValue {
        let start = position
        while let byte = next, byte.isNameByte || "+-.".utf8.contains(byte), blankLength == 0 {
            position += 1
        }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        switch word {
        case "": throw error("expected a value", at: start)
        case "null": return .null
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default:
            guard let number = JSON5Number.value(of: word) else {
                // The message does not quote it: it may be a secret without its quotation marks.
                throw error("expected a value; put strings in quotation marks", at: start)
            }
            return .number(number)
        }
    }

}

extension JSON5Parser {
    /// The byte at the position; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Skips blanks, and then this character if it is next; returns whether it was.
    private mutating func consume(_ character: Unicode.Scalar) throws(JSONError) -> Bool {
        try skipBlanks()
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// An error at a place in the text, by default at the position.
    func error(_ problem: String, at place: Int? = nil) -> JSONError {
        let before = bytes[..<min(place ?? position, bytes.count)]
        let ends = before.indices.filter { index in
            // A carriage return and a line feed are one line end.
            before[index].isLineEnd
                && !(before[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A)
        }
        let line = ends.count + 1
        let lineStart = ends.last.map { $0 + 1 } ?? 0
        let column = String(decoding: before[lineStart...], as: UTF8.self).count + 1
        return JSONError(
            path: pathText, problem: "line \(line), column \(column): \(problem)")
    }

    private var pathText: String {
        var text = ""
        for step in path {
            switch step {
            case .key(let key): text += (text.isEmpty ? "" : ".") + LogFormat.escaped(key)
            case .index(let index): text += "[\(index)]"
            }
        }
        return text
    }
}
