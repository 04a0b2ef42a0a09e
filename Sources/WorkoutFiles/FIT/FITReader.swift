import ByteDecoding

/// Splits a FIT file into messages (FIT Protocol, "FIT File Structure").
///
/// Several files may follow each other (FIT Protocol, "Chained FIT Files"); each has its own reader.
/// Every length is checked before use. Only the file and up to 16 definitions are held, so memory
/// is bounded by the file.
struct FITReader {
    /// A field of a definition.
    struct Field {
        let number: UInt8
        let offset: Int
        let size: Int
        /// The type; nil for an unknown type, whose field is skipped.
        let type: FITBaseType?
    }

    /// The layout of a message.
    struct Definition {
        let number: UInt16
        let isBigEndian: Bool
        var fields: [Field] = []
        /// The size of the message, developer fields at its end included.
        var size = 0
    }

    private static let shortHeader = 12
    private static let longHeader = 14
    private static let checksumSize = 2
    /// The timestamp field of every message.
    private static let timestamp: UInt8 = 253

    private let bytes: [UInt8]
    private let clock: Int64?
    private let end: Int
    private var position: Int
    private var definitions = [Definition?](repeating: nil, count: 16)
    /// The reference of compressed timestamps.
    private var lastTime: UInt32?

    /// Where the next file of a chain starts.
    var fileEnd: Int { end + Self.checksumSize }

    /// Whether bytes start like a FIT file.
    static func isFIT(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count >= shortHeader && bytes.dropFirst(8).prefix(4).elementsEqual(".FIT".utf8)
    }

    /// Checks header and checksums of the file at a position of the bytes.
    ///
    /// - Parameter clock: The date at which the clock of the device was 0, in FIT's seconds.
    init(
        _ bytes: [UInt8], at start: Int = 0, clock: Int64? = nil
    ) throws(WorkoutFileError) {
        let file = bytes[start...]
        guard Self.isFIT(file) else {
            throw start == 0 ? .foreign(ForeignFile(bytes)) : .corrupt("extra data after the end")
        }
        let header = Int(bytes[start])
        guard header == Self.shortHeader || header == Self.longHeader, header <= file.count else {
            throw .corrupt("invalid header length")
        }
        if header == Self.longHeader {
            let checksum = UInt32(bytes[start + 12]) | UInt32(bytes[start + 13]) << 8
            // A header may omit its own checksum.
            guard checksum == 0 || checksum == CRC.crc16ARC.checksum(file.prefix(12)) else {
                throw .checksum
            }
        }
        let size = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
        guard size <= file.count - header - Self.checksumSize else {
            throw .corrupt("unexpected end of file")
        }
        end = start + header + size
        let checksum = UInt32(bytes[end]) | UInt32(bytes[end + 1]) << 8
        guard checksum == CRC.crc16ARC.checksum(bytes[start..<end]) else { throw .checksum }
        self.bytes = bytes
        self.clock = clock
        position = start + header
    }

    /// The next message; nil at the end.
    mutating func next() throws(WorkoutFileError) -> FITMessage? {
        while position < end {
            let header = try readByte()
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
        _ = try readByte()  // reserved
        let isBigEndian = try readByte() == 1
        let (first, second) = (UInt16(try readByte()), UInt16(try readByte()))
        let number = isBigEndian ? first << 8 | second : second << 8 | first
        var definition = Definition(number: number, isBigEndian: isBigEndian)
        for _ in 0..<(try readByte()) {
            let (number, size, type) = (try readByte(), Int(try readByte()), try readByte())
            // Skip fields without bytes: a byte of the file must not cost 255 of them.
            guard size > 0 else { continue }
            definition.fields.append(
                Field(
                    number: number, offset: definition.size, size: size,
                    type: FITBaseType(rawValue: type)))
            definition.size += size
        }
        if hasDeveloperFields {
            for _ in 0..<(try readByte()) {
                let (_, size, _) = (try readByte(), Int(try readByte()), try readByte())
                definition.size += size
            }
        }
        definitions[local] = definition
    }

    private mutating func message(
        local: Int, time: UInt32?
    ) throws(WorkoutFileError) -> FITMessage {
        guard let definition = definitions[local] else {
            throw .corrupt("message without definition")
        }
        guard definition.size <= end - position else { throw .corrupt("truncated message") }
        let message = FITMessage(
            definition: definition, bytes: bytes[position..<position + definition.size], time: time,
            clock: clock)
        position += definition.size
        if let time = message.number(Self.timestamp), let time = UInt32(exactly: time) {
            lastTime = time
        }
        return message
    }

    /// The next time with these last five bits (FIT Protocol, "Compressed Timestamp Header").
    private mutating func compressedTime(_ bits: UInt8) -> UInt32? {
        guard let last = lastTime else { return nil }
        let time = last &+ ((UInt32(bits) &- last) & 0x1F)
        lastTime = time
        return time
    }

    private mutating func readByte() throws(WorkoutFileError) -> UInt8 {
        guard position < end else { throw .corrupt("truncated definition") }
        defer { position += 1 }
        return bytes[position]
    }
}
