import Platform

/// A parser for JSON5 (json5.org, version 1.0.0) that reports the position of an error.
///
/// Foundation's decoder supports JSON5 too, but reports neither the position of an error nor a
/// duplicate key, of which it silently drops one: a sink could disappear unnoticed.
struct JSON5Parser {
    /// The maximum nesting depth.
    static let depthLimit = 64

    let bytes: [UInt8]
    private(set) var position: Int
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
            guard let number = Self.number(word) else {
                // The message does not quote it: it may be a secret without its quotation marks.
                throw error("expected a value; put strings in quotation marks", at: start)
            }
            return .number(number)
        }
    }

    private static func number(_ word: String) -> Double? {
        let isNegative = word.hasPrefix("-")
        let digits = word.hasPrefix("+") || isNegative ? String(word.dropFirst()) : word
        return magnitude(digits).map { isNegative ? -$0 : $0 }
    }

    /// A number without its sign.
    private static func magnitude(_ digits: String) -> Double? {
        if digits == "Infinity" { return .infinity }
        if digits == "NaN" { return .nan }
        let bytes = Array(digits.utf8)
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            guard bytes.dropFirst(2).allSatisfy(\.isHexadecimalDigit) else { return nil }
            return UInt64(digits.dropFirst(2), radix: 16).map { Double($0) }
        }
        let isOctal = bytes.count > 1 && bytes[0] == UInt8(ascii: "0") && bytes[1].isDigit
        guard let first = bytes.first, first.isDigit || first == UInt8(ascii: "."), !isOctal,
            bytes.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }),
            bytes.contains(where: \.isDigit)
        else { return nil }
        // `.5` and `5.` are numbers in JSON5; Swift requires digits on both sides.
        return Double((first.isDigit ? "" : "0") + (digits.hasSuffix(".") ? digits + "0" : digits))
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
    private var blankLength: Int {
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

    private mutating func readString() throws(JSONError) -> String {
        let start = position
        let quote = bytes[position]
        position += 1
        var text: [UInt8] = []
        while let byte = next, byte != quote {
            guard !byte.isLineEnd else { break }
            position += 1
            if byte == UInt8(ascii: "\\") {
                text += String(try readEscape()).utf8
            } else {
                text.append(byte)
            }
        }
        guard next == quote else { throw error("unterminated string", at: start) }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the rest of an escape sequence after its backslash; an escaped line end is dropped.
    private mutating func readEscape() throws(JSONError) -> String {
        let start = position - 1
        guard let byte = next else { throw error("unterminated string", at: start) }
        position += 1
        switch byte {
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "v"): return "\u{b}"
        case UInt8(ascii: "0"): return "\0"
        case UInt8(ascii: "1")...UInt8(ascii: "9"): throw error("invalid escape", at: start)
        case UInt8(ascii: "\n"): return ""
        case UInt8(ascii: "\r"):
            if next == UInt8(ascii: "\n") { position += 1 }
            return ""
        case UInt8(ascii: "x"): return try scalar(try readHexadecimal(2), at: start)
        case UInt8(ascii: "u"): return try readUnicodeEscape(at: start)
        default:
            // Any other character, of one or several bytes, stands for itself.
            position -= 1
            let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            let end = min(position + length, bytes.count)
            defer { position = end }
            return String(decoding: bytes[position..<end], as: UTF8.self)
        }
    }

    /// Reads a UTF-16 code unit, or a surrogate pair.
    private mutating func readUnicodeEscape(
        at start: Int
    ) throws(JSONError) -> String {
        let unit = try readHexadecimal(4)
        guard (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: "\\u".utf8) else {
            return try scalar(unit, at: start)
        }
        position += 2
        let low = try readHexadecimal(4)
        guard (0xDC00..<0xE000).contains(low) else { throw error("invalid escape", at: start) }
        return try scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), at: start)
    }

    private mutating func readHexadecimal(_ count: Int) throws(JSONError) -> UInt32 {
        let end = min(position + count, bytes.count)
        let digits = String(decoding: bytes[position..<end], as: UTF8.self)
        guard digits.utf8.count == count, digits.utf8.allSatisfy(\.isHexadecimalDigit),
            let number = UInt32(digits, radix: 16)
        else { throw error("expected \(count) hexadecimal digits") }
        position = end
        return number
    }

    private func scalar(_ number: UInt32, at start: Int) throws(JSONError) -> String {
        guard let scalar = Unicode.Scalar(number) else { throw error("invalid escape", at: start) }
        return String(scalar)
    }

    /// An error at a place in the text, by default at the position.
    private func error(_ problem: String, at place: Int? = nil) -> JSONError {
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

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isHexadecimalDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }

    /// Whether the byte can be part of an unquoted key: a letter or digit, also beyond ASCII, `_`
    /// or `$`.
    fileprivate var isNameByte: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) || self >= 0x80
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
    }
}
