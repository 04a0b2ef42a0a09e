import HealthModel

/// A message of a FIT file, whose fields are decoded on access.
struct FITMessage {
    let definition: FITReader.Definition
    let bytes: ArraySlice<UInt8>
    /// The time of a compressed timestamp header.
    let time: UInt32?
    /// The date at which the clock of the device was 0, in FIT's seconds.
    let clock: Int64?

    /// The kind; nil for an unknown message.
    var kind: FITMessageKind? { FITMessageKind(rawValue: definition.number) }

    /// The time, in seconds since 1970.
    var second: Int64? { FITTime.second(written, clock: clock) }

    /// The time as the file has it.
    private var written: Double? { time.map(Double.init) ?? number(253) }

    /// Whether the time counts from the start of the device.
    var isRelative: Bool { FITTime.isRelative(written) }

    /// The time in a field.
    func instant(_ field: UInt8) -> Instant? {
        FITTime.second(number(field), clock: clock).map(Instant.init(wholeSecond:))
    }

    /// The first number of a field; nil when the field or its value is missing.
    func number(_ number: UInt8) -> Double? { numbers(number).first ?? nil }

    /// The whole number of a field, such as an enumeration value.
    func integer(_ number: UInt8) -> Int? { self.number(number).flatMap { Int(exactly: $0) } }

    /// All numbers of a field.
    func numbers(_ number: UInt8) -> [Double?] {
        guard let field = definition.fields.first(where: { $0.number == number }),
            let type = field.type, field.size % type.size == 0
        else { return [] }
        return stride(from: 0, to: field.size, by: type.size).map { offset in
            let start = bytes.startIndex + field.offset + offset
            let value = bytes[start..<start + type.size]
            let bits =
                definition.isBigEndian
                ? value.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                : value.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return type.number(bits)
        }
    }

    /// The bytes of a field, whatever its type; empty when it is missing.
    func raw(_ number: UInt8) -> ArraySlice<UInt8> {
        guard let field = definition.fields.first(where: { $0.number == number }) else { return [] }
        let start = bytes.startIndex + field.offset
        return bytes[start..<start + field.size]
    }

    /// The text of a field; nil when it is missing or empty.
    func text(_ number: UInt8) -> String? {
        guard let field = definition.fields.first(where: { $0.number == number }),
            field.type == .string
        else { return nil }
        let text = raw(number).prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// The number of fields without some known ones.
    func count(besides known: Set<UInt8>) -> Int {
        definition.fields.count { !known.contains($0.number) }
    }
}
