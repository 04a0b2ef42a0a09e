import HealthModel

/// Writes JSON, value after value; commas come where they belong.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// A value of its own.
    mutating func text(_ text: String) {
        begin()
        bytes.appendJSONString(text)
    }

    /// A number; JSON has none that is not finite.
    mutating func number(_ number: Double) {
        begin()
        if number.isFinite { Number.append(number, to: &bytes) } else { bytes.append("null") }
    }

    /// A record as it is written everywhere.
    mutating func record(_ record: Record) {
        begin()
        RecordEncoder.append(record, to: &bytes)
    }

    /// A record with further fields after its own.
    mutating func record(_ record: Record, _ body: (inout JSONWriter) -> Void) {
        self.record(record)
        bytes.removeLast()  // the brace that ends every record
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    mutating func object(_ body: (inout JSONWriter) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    mutating func field(_ name: String, _ body: (inout JSONWriter) -> Void) {
        begin()
        bytes.appendJSONString(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        body(&self)
    }

    mutating func list<Value>(
        _ name: String, _ values: [Value], _ body: (Value, inout JSONWriter) -> Void
    ) {
        field(name) { json in
            json.enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
                for value in values { body(value, &json) }
            }
        }
    }

    /// A field with a number; none where there is none.
    mutating func field(_ name: String, _ number: Double?) {
        guard let number, number.isFinite else { return }
        field(name) { $0.number(number) }
    }

    mutating func field(_ name: String, _ instant: Instant) {
        field(name) { $0.text("\(instant)") }
    }

    private mutating func enclose(
        _ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void
    ) {
        begin()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func begin() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }
}
