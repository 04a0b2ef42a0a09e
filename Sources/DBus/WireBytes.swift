/// Why bytes cannot be read as D-Bus values.
enum WireFault: Error {
    /// The end of the value is unknown.
    case malformed
    case tooLarge
}

/// A position in the bytes of a message (D-Bus Specification 0.43, "Marshaling").
struct WireBytes {
    /// The length of the fixed part of a header.
    private static let headerLength = 16

    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private var position: Int
    /// The end of the array or message that is being read.
    var end: Int

    /// Starts at the body of a message.
    init(bodyOf message: [UInt8]) throws(WireFault) {
        guard message.count >= Self.headerLength else { throw .malformed }
        bytes = message
        isBigEndian = message[0] == UInt8(ascii: "B")
        end = message.count
        position = 4
        let bodyLength = Int(try number(UInt32.self))
        position = 12
        let fieldsLength = Int(try number(UInt32.self))
        position = (Self.headerLength + fieldsLength + 7) & ~7
        guard position + bodyLength == message.count else { throw .malformed }
    }

    var isAtEnd: Bool { position == end }

    /// Limits reading to the next `count` bytes; returns the former end.
    mutating func enter(count: Int) throws(WireFault) -> Int {
        guard count <= end - position else { throw .malformed }
        defer { end = position + count }
        return end
    }

    mutating func skipRest() { position = end }

    mutating func align(to alignment: Int) throws(WireFault) {
        let aligned = (position + alignment - 1) & ~(alignment - 1)
        guard aligned <= end else { throw .malformed }
        position = aligned
    }

    mutating func take(_ count: Int) throws(WireFault) -> ArraySlice<UInt8> {
        guard count <= end - position else { throw .malformed }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _: Number.Type
    ) throws(WireFault) -> Number {
        let size = MemoryLayout<Number>.size
        try align(to: size)
        let number = try take(size).withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
        return isBigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
    }

    /// The bytes of a text, without the NUL that follows.
    mutating func text<Length: FixedWidthInteger & BitwiseCopyable>(
        _: Length.Type
    ) throws(WireFault) -> ArraySlice<UInt8> {
        let text = try take(Int(try number(Length.self)))
        guard try take(1).first == 0 else { throw .malformed }
        return text
    }
}
