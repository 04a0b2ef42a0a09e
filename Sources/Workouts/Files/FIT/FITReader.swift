/// Takes a FIT file apart into its messages (FIT Protocol, "FIT File Structure").
///
/// Every length is checked before it is believed. Nothing is kept but the file and the definitions of at
/// most 16 messages, so memory is bounded by the file.
struct FITReader {
    /// A field of a definition.
    struct Field {
        let number: UInt8
        let offset: Int
        let size: Int
        /// Nil for a type that is not known; such a field is skipped.
        let type: FITBaseType?
    }

    /// How the bytes of a message are to be read.
    struct Definition {
        let number: UInt16
        let isBigEndian: Bool
        var fields: [Field] = []
        /// With the fields that only the maker knows, which come last.
        var size = 0
    }

    private static let shortHeader = 12
    private static let longHeader = 14
    private static let checksumSize = 2
    /// The field that has the time, in every message.
    private static let timestamp: UInt8 = 253

    private let bytes: [UInt8]
    private let end: Int
    private var position: Int
    private var definitions = [Definition?](repeating: nil, count: 16)
    /// What a time that is written in five bits counts from.
    private var lastTime: UInt32?

    /// Whether bytes begin as a FIT file does.
    static func isFIT(_ bytes: [UInt8]) -> Bool {
        bytes.count >= shortHeader && bytes[8..<12].elementsEqual(".FIT".utf8)
    }

    /// Checks header and checksums.
    init(_ bytes: [UInt8]) throws(WorkoutFileError) {
        guard Self.isFIT(bytes) else { throw .unknownFormat }
        let header = Int(bytes[0])
        guard header == Self.shortHeader || header == Self.longHeader, header <= bytes.count else {
            throw .damaged("its header has no valid length")
        }
        if header == Self.longHeader {
            let checksum = UInt16(bytes[12]) | UInt16(bytes[13]) << 8
            // A header may leave its own checksum out.
            guard checksum == 0 || checksum == FITChecksum.of(bytes[..<12]) else { throw .checksum }
        }
        let size = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
        guard size <= bytes.count - header - Self.checksumSize else {
            throw .damaged("its end is missing")
        }
        end = header + size
        guard bytes.count == end + Self.checksumSize else {
            throw .damaged("something follows its end")
        }
        let checksum = UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8
        guard checksum == FITChecksum.of(bytes[..<end]) else { throw .checksum }
        self.bytes = bytes
        position = header
    }

    /// The next message; nil at the end.
    mutating func next() throws(WorkoutFileError) -> FITMessage? {
        while position < end {
            let header = try take()
            if header & 0x80 != 0 {
                let time = compressedTime(header & 0x1F)
                return try message(local: Int(header >> 5 & 0x03), time: time)
            }
            if header & 0x40 == 0 { return try message(local: Int(header & 0x0F), time: nil) }
            try define(local: Int(header & 0x0F), hasDeveloperFields: header & 0x20 != 0)
        }
        return nil
    }

    private mutating func define(
        local: Int, hasDeveloperFields: Bool
    ) throws(WorkoutFileError) {
        _ = try take()  // reserved
        let isBigEndian = try take() == 1
        let (first, second) = (UInt16(try take()), UInt16(try take()))
        let number = isBigEndian ? first << 8 | second : second << 8 | first
        var definition = Definition(number: number, isBigEndian: isBigEndian)
        for _ in 0..<(try take()) {
            let (number, size, type) = (try take(), Int(try take()), try take())
            // One without bytes has no value; a byte of the file should not cost 255 of them.
            guard size > 0 else { continue }
            definition.fields.append(
                Field(
                    number: number, offset: definition.size, size: size,
                    type: FITBaseType(rawValue: type)))
            definition.size += size
        }
        if hasDeveloperFields {
            for _ in 0..<(try take()) {
                let (_, size, _) = (try take(), Int(try take()), try take())
                definition.size += size
            }
        }
        definitions[local] = definition
    }

    private mutating func message(
        local: Int, time: UInt32?
    ) throws(WorkoutFileError) -> FITMessage {
        guard let definition = definitions[local] else {
            throw .damaged("a message has no definition")
        }
        guard definition.size <= end - position else { throw .damaged("a message is cut off") }
        let message = FITMessage(
            definition: definition, bytes: bytes[position..<position + definition.size], time: time)
        position += definition.size
        if let time = message.number(Self.timestamp), let time = UInt32(exactly: time) {
            lastTime = time
        }
        return message
    }

    /// The time whose last five bits are these and which is the next one (FIT Protocol, "Compressed
    /// Timestamp Header").
    private mutating func compressedTime(_ bits: UInt8) -> UInt32? {
        guard let last = lastTime else { return nil }
        let time = last &+ ((UInt32(bits) &- last) & 0x1F)
        lastTime = time
        return time
    }

    private mutating func take() throws(WorkoutFileError) -> UInt8 {
        guard position < end else { throw .damaged("a definition is cut off") }
        defer { position += 1 }
        return bytes[position]
    }
}

/// A message of a FIT file, whose fields are read when they are asked for.
struct FITMessage {
    let definition: FITReader.Definition
    let bytes: ArraySlice<UInt8>
    /// The time of its header.
    let time: UInt32?

    /// What it is; nil for a message that nobody here knows.
    var kind: FITMessageKind? { FITMessageKind(rawValue: definition.number) }

    /// When it was, in seconds since 1970.
    var second: Int64? { FITTime.second(time.map(Double.init) ?? number(253)) }

    /// The first number of a field; nil when it is not there or has no value.
    func number(_ number: UInt8) -> Double? { numbers(number).first ?? nil }

    /// A field that has a whole number, such as a choice.
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

    /// The text of a field; nil when it is not there or empty.
    func text(_ number: UInt8) -> String? {
        guard let field = definition.fields.first(where: { $0.number == number }),
            field.type == .string
        else { return nil }
        let start = bytes.startIndex + field.offset
        let text = bytes[start..<start + field.size].prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// How many fields there are beside some.
    func count(besides known: Set<UInt8>) -> Int {
        definition.fields.count { !known.contains($0.number) }
    }
}
