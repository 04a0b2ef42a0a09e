/// A writer for JSON on one line, with keys in the order in which they are written.
public struct JSONWriter {
    /// The written bytes.
    public private(set) var bytes: [UInt8] = []

    /// Makes an empty writer.
    public init() {}

    /// Writes an object, whose fields `content` writes.
    public mutating func object(_ content: (inout JSONWriter) -> Void) {
        enclose("{", "}", content)
    }

    /// Writes a field that is an object.
    public mutating func object(_ key: String, _ content: (inout JSONWriter) -> Void) {
        begin(key)
        object(content)
    }

    /// Writes a field that is a list of objects.
    public mutating func objects<Element>(
        _ key: String, _ elements: [Element], _ content: (Element, inout JSONWriter) -> Void
    ) {
        begin(key)
        enclose("[", "]") { json in
            for element in elements {
                json.separate()
                json.object { content(element, &$0) }
            }
        }
    }

    /// Writes a field that is a list of strings.
    public mutating func strings(_ key: String, _ strings: [String]) {
        list(key, strings) { $1.appendJSONString($0) }
    }

    /// Writes a field that is a list of numbers; a number that is not finite is null.
    public mutating func numbers(_ key: String, _ numbers: [Double]) {
        list(key, numbers) { number, bytes in
            if number.isFinite { Number.append(number, to: &bytes) } else { bytes.append("null") }
        }
    }

    /// Writes a field; nothing when the value is nil.
    public mutating func field(_ key: String, _ value: String?) {
        guard let value else { return }
        begin(key)
        bytes.appendJSONString(value)
    }

    /// Writes a field; nothing when the value is nil.
    public mutating func field(_ key: String, _ value: Bool?) {
        guard let value else { return }
        begin(key)
        bytes += (value ? "true" : "false").utf8
    }

    /// Writes a field; nothing when the value is nil or not finite.
    public mutating func field(_ key: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        begin(key)
        Number.append(value, to: &bytes)
    }

    /// Writes a field.
    public mutating func field(_ key: String, _ value: Int64) {
        begin(key)
        bytes += "\(value)".utf8
    }

    /// Writes a field with a value that `append` writes as JSON.
    public mutating func field(_ key: String, appending append: (inout [UInt8]) -> Void) {
        begin(key)
        append(&bytes)
    }

    /// Writes a field that is a list of elements that `append` writes as JSON.
    public mutating func list<Element>(
        _ key: String, _ elements: [Element], appending append: (Element, inout [UInt8]) -> Void
    ) {
        begin(key)
        enclose("[", "]") { json in
            for element in elements {
                json.separate()
                append(element, &json.bytes)
            }
        }
    }

    /// Writes an object that `append` writes as JSON, with additional fields at its end.
    public mutating func object(
        appending append: (inout [UInt8]) -> Void, then content: (inout JSONWriter) -> Void
    ) {
        append(&bytes)
        bytes.removeLast()  // the brace at its end
        content(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(_ key: String) {
        separate()
        bytes.appendJSONString(key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes the comma between two fields or elements, if one is needed.
    private mutating func separate() {
        switch bytes.last {
        case UInt8(ascii: "{"), UInt8(ascii: "["), nil: break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func enclose(
        _ begin: Unicode.Scalar, _ end: Unicode.Scalar, _ content: (inout JSONWriter) -> Void
    ) {
        bytes.append(UInt8(ascii: begin))
        content(&self)
        bytes.append(UInt8(ascii: end))
    }
}
