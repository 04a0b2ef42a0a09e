/// An encoding of packets in a byte stream that keeps the delimiter out of the packet.
public enum PacketEncoding: Sendable {
    /// Consistent Overhead Byte Stuffing (Cheshire and Baker, 1997); packets end with 0.
    case cobs
    /// SLIP (RFC 1055); packets end with 0xC0.
    case slip

    private static let slipEnd: UInt8 = 0xC0
    private static let slipEscape: UInt8 = 0xDB
    private static let slipEscapedEnd: UInt8 = 0xDC
    private static let slipEscapedEscape: UInt8 = 0xDD

    /// The byte that ends a packet.
    public var delimiter: UInt8 {
        switch self {
        case .cobs: 0
        case .slip: Self.slipEnd
        }
    }

    /// A splitter that finds encoded packets of up to `lengthLimit` bytes in a stream.
    public func splitter(lengthLimit: Int = 1_024) -> DelimitedSplitter {
        DelimitedSplitter(delimiter: delimiter, lengthLimit: lengthLimit)
    }

    /// Decodes a packet without its delimiter.
    ///
    /// - Throws: ``ByteDecodingError/truncated`` or ``ByteDecodingError/invalid`` when the bytes are not
    ///   of this encoding.
    public func decode(_ bytes: some Sequence<UInt8>) throws(ByteDecodingError) -> [UInt8] {
        switch self {
        case .cobs: try Self.decodeCOBS(bytes)
        case .slip: try Self.decodeSLIP(bytes)
        }
    }

    /// Encodes a packet and ends it with the delimiter.
    public func encode(_ packet: some Sequence<UInt8>) -> [UInt8] {
        switch self {
        case .cobs: Self.encodeCOBS(packet)
        case .slip: Self.encodeSLIP(packet)
        }
    }

    private static func decodeCOBS(
        _ bytes: some Sequence<UInt8>
    ) throws(ByteDecodingError) -> [UInt8] {
        var packet: [UInt8] = []
        // The number of data bytes before the next code, and whether a 0 stands for that code.
        var (rest, isFollowedByZero) = (0, false)
        for byte in bytes {
            guard byte != 0 else { throw .invalid }
            if rest == 0 {
                if isFollowedByZero { packet.append(0) }
                (rest, isFollowedByZero) = (Int(byte) - 1, byte != 0xFF)
            } else {
                packet.append(byte)
                rest -= 1
            }
        }
        guard rest == 0 else { throw .truncated }
        return packet
    }

    private static func encodeCOBS(_ packet: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = [0]
        var (code, count) = (0, 0)
        var isComplete = false
        for byte in packet {
            if isComplete {
                (code, isComplete) = (bytes.count, false)
                bytes.append(0)
                count = 0
            }
            if byte == 0 {
                bytes[code] = UInt8(count + 1)
                (code, count) = (bytes.count, 0)
                bytes.append(0)
            } else {
                bytes.append(byte)
                count += 1
                if count == 254 {
                    bytes[code] = 0xFF
                    isComplete = true
                }
            }
        }
        if !isComplete { bytes[code] = UInt8(count + 1) }
        return bytes + [0]
    }

    private static func decodeSLIP(
        _ bytes: some Sequence<UInt8>
    ) throws(ByteDecodingError) -> [UInt8] {
        var packet: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            switch (isEscaped, byte) {
            case (true, slipEscapedEnd): packet.append(slipEnd)
            case (true, slipEscapedEscape): packet.append(slipEscape)
            case (true, _), (false, slipEnd): throw .invalid
            case (false, slipEscape): break
            case (false, _): packet.append(byte)
            }
            isEscaped = !isEscaped && byte == slipEscape
        }
        guard !isEscaped else { throw .truncated }
        return packet
    }

    private static func encodeSLIP(_ packet: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in packet {
            switch byte {
            case slipEnd: bytes += [slipEscape, slipEscapedEnd]
            case slipEscape: bytes += [slipEscape, slipEscapedEscape]
            default: bytes.append(byte)
            }
        }
        return bytes + [slipEnd]
    }
}
