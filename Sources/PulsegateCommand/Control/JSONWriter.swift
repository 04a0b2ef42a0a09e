import HealthModel

/// Writes JSON on one line, keys in the order in which they are given.
struct JSONWriter {
    /// What has been written.
    private(set) var bytes: [UInt8] = []

    /// Writes an object, whose fields `content` writes.
    mutating func object(_ content: (inout JSONWriter) -> Void) {
        enclose("{", "}", content)
    }

    /// Writes a field that is an object.
    mutating func object(_ key: String, _ content: (inout JSONWriter) -> Void) {
        begin(key)
        object(content)
    }

    /// Writes a field that is a list of objects.
    mutating func objects<Element>(
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

    /// Writes a field that is a list of texts.
    mutating func strings(_ key: String, _ strings: [String]) {
        begin(key)
        enclose("[", "]") { json in
            for string in strings {
                json.separate()
                json.bytes.appendJSONString(string)
            }
        }
    }

    /// Writes a field that is a list of numbers.
    mutating func numbers(_ key: String, _ numbers: [Double]) {
        begin(key)
        enclose("[", "]") { json in
            for number in numbers {
                json.separate()
                Number.append(number, to: &json.bytes)
            }
        }
    }

    /// Writes a field; none when there is no value.
    mutating func field(_ key: String, _ value: String?) {
        guard let value else { return }
        begin(key)
        bytes.appendJSONString(value)
    }

    /// Writes a field; none when there is no value.
    mutating func field(_ key: String, _ value: Bool?) {
        guard let value else { return }
        begin(key)
        bytes += (value ? "true" : "false").utf8
    }

    /// Writes a field; none when there is no value, or one that JSON does not know.
    mutating func field(_ key: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        begin(key)
        Number.append(value, to: &bytes)
    }

    /// Writes a field.
    mutating func field(_ key: String, _ value: Int64) {
        begin(key)
        bytes += "\(value)".utf8
    }

    /// Writes a field that is a record.
    mutating func record(_ key: String, _ record: Record) {
        begin(key)
        RecordEncoder.append(record, to: &bytes)
    }

    /// Writes a field that is a list of records.
    mutating func records(_ key: String, _ records: [Record]) {
        begin(key)
        enclose("[", "]") { json in
            for record in records {
                json.separate()
                RecordEncoder.append(record, to: &json.bytes)
            }
        }
    }

    private mutating func begin(_ key: String) {
        separate()
        bytes.appendJSONString(key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes the comma between two fields or elements.
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
