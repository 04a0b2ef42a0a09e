/// Reads numbers from the front of a characteristic's value, least significant byte first.
///
/// Every read either consumes its bytes or throws and consumes nothing, so that a decoder keeps no
/// index of its own.
public struct ByteCursor: Sendable {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var position = 0

    /// Starts at the first byte of a value.
    @inlinable
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// How many bytes have not been read.
    @inlinable
    public var remainingCount: Int { bytes.count - position }

    /// The bytes that have not been read.
    @inlinable
    public var remaining: ArraySlice<UInt8> { bytes[position...] }

    /// Reads an unsigned 8-bit number.
    ///
    /// - Throws: ``GATTDecodingError/truncated`` when no byte is left.
    @inlinable
    public mutating func uint8() throws(GATTDecodingError) -> UInt8 {
        guard remainingCount >= 1 else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads an unsigned 16-bit number.
    ///
    /// - Throws: ``GATTDecodingError/truncated`` when fewer than two bytes are left.
    @inlinable
    public mutating func uint16() throws(GATTDecodingError) -> UInt16 {
        guard remainingCount >= 2 else { throw .truncated }
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }
}
