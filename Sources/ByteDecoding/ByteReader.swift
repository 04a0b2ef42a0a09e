/// The order of the bytes of a number.
public enum ByteOrder: Sendable {
    /// Least significant byte first, as in Bluetooth and USB.
    case little
    /// Most significant byte first, as in network protocols.
    case big
}

/// Why bytes cannot be decoded.
public enum ByteDecodingError: Error, Hashable, CustomStringConvertible {
    /// The bytes end before the field does.
    case truncated
    /// A field has a value that the protocol forbids.
    case invalid
    /// The bytes are of a kind that the decoder does not know.
    case unknown

    /// What is wrong, without the bytes.
    public var description: String {
        switch self {
        case .truncated: "the value ends before its last field"
        case .invalid: "a field has a value that the protocol forbids"
        case .unknown: "the value is of an unknown kind"
        }
    }
}

/// Reads numbers from the front of a byte array, with a check of its bounds before each.
///
/// Every method either consumes its bytes or throws ``ByteDecodingError/truncated`` and consumes
/// nothing, so that a decoder needs no index of its own and cannot read out of bounds. Numbers have the
/// byte order of the reader, little-endian by default.
public struct ByteReader: Sendable {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var position: Int
    @usableFromInline let order: ByteOrder

    /// Starts at the first byte.
    @inlinable
    public init(_ bytes: [UInt8], order: ByteOrder = .little) {
        self.bytes = bytes
        self.order = order
        position = 0
    }

    /// The number of bytes that have not been read.
    @inlinable
    public var remainingCount: Int { bytes.count - position }

    /// The bytes that have not been read.
    @inlinable
    public var remaining: ArraySlice<UInt8> { bytes[position...] }

    /// Reads the next bytes.
    @inlinable
    public mutating func bytes(_ count: Int) throws(ByteDecodingError) -> ArraySlice<UInt8> {
        guard count >= 0, remainingCount >= count else { throw .truncated }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    /// Skips bytes that have no meaning for the decoder.
    @inlinable
    public mutating func skip(_ count: Int) throws(ByteDecodingError) {
        _ = try bytes(count)
    }

    /// Reads an unsigned number of 1 to 8 bytes.
    @inlinable
    mutating func unsigned(byteCount: Int) throws(ByteDecodingError) -> UInt64 {
        guard remainingCount >= byteCount else { throw .truncated }
        defer { position += byteCount }
        var value: UInt64 = 0
        for index in 0..<byteCount {
            let offset = order == .big ? index : byteCount - 1 - index
            value = value << 8 | UInt64(bytes[position + offset])
        }
        return value
    }

    /// Reads an unsigned 8-bit number.
    @inlinable
    public mutating func uint8() throws(ByteDecodingError) -> UInt8 {
        guard remainingCount >= 1 else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads an unsigned 16-bit number.
    @inlinable
    public mutating func uint16() throws(ByteDecodingError) -> UInt16 {
        UInt16(truncatingIfNeeded: try unsigned(byteCount: 2))
    }

    /// Reads an unsigned 24-bit number.
    @inlinable
    public mutating func uint24() throws(ByteDecodingError) -> UInt32 {
        UInt32(truncatingIfNeeded: try unsigned(byteCount: 3))
    }

    /// Reads an unsigned 32-bit number.
    @inlinable
    public mutating func uint32() throws(ByteDecodingError) -> UInt32 {
        UInt32(truncatingIfNeeded: try unsigned(byteCount: 4))
    }

    /// Reads an unsigned 48-bit number.
    @inlinable
    public mutating func uint48() throws(ByteDecodingError) -> UInt64 {
        try unsigned(byteCount: 6)
    }

    /// Reads an unsigned 64-bit number.
    @inlinable
    public mutating func uint64() throws(ByteDecodingError) -> UInt64 {
        try unsigned(byteCount: 8)
    }

    /// Reads a signed 8-bit number in two's complement.
    @inlinable
    public mutating func int8() throws(ByteDecodingError) -> Int8 {
        Int8(bitPattern: try uint8())
    }

    /// Reads a signed 16-bit number in two's complement.
    @inlinable
    public mutating func int16() throws(ByteDecodingError) -> Int16 {
        Int16(bitPattern: try uint16())
    }

    /// Reads a signed 64-bit number in two's complement.
    @inlinable
    public mutating func int64() throws(ByteDecodingError) -> Int64 {
        Int64(bitPattern: try uint64())
    }

    /// Reads a signed 24-bit number in two's complement.
    @inlinable
    public mutating func int24() throws(ByteDecodingError) -> Int32 {
        Int32(bitPattern: try uint24() << 8) >> 8
    }

    /// Reads a signed 32-bit number in two's complement.
    @inlinable
    public mutating func int32() throws(ByteDecodingError) -> Int32 {
        Int32(bitPattern: try uint32())
    }
}
