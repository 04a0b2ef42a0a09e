/// Finds the packets in a stream of bytes.
///
/// The start and end bytes also occur inside packets. A packet is accepted only if its start, identifier,
/// length, checksum and end are valid; otherwise the search continues at the next byte, so that a
/// corrupt packet does not hide the next one.
struct HxMFramer {
    /// A piece of the stream.
    enum Piece: Equatable {
        /// A valid packet.
        case packet(ArraySlice<UInt8>)
        /// Bytes outside of packets; reported once for consecutive bytes.
        case damaged
    }

    /// The start of an incomplete packet, shorter than a packet.
    private var pending: [UInt8] = []
    private var isResynchronizing = false

    /// Discards an incomplete packet.
    mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        isResynchronizing = false
    }

    /// Adds bytes and returns the completed pieces.
    mutating func frame(_ bytes: [UInt8]) -> [Piece] {
        pending += bytes
        var pieces: [Piece] = []
        var start = 0
        while start < pending.count {
            switch Self.classify(pending[start...]) {
            case .incomplete:
                pending.removeSubrange(..<start)
                return pieces
            case .packet:
                pieces.append(.packet(pending[start..<(start + HxMPacket.size)]))
                start += HxMPacket.size
                isResynchronizing = false
            case .noPacket:
                if !isResynchronizing { pieces.append(.damaged) }
                start += 1
                isResynchronizing = true
            }
        }
        pending.removeAll(keepingCapacity: true)
        return pieces
    }

    private enum Classification {
        case packet
        case noPacket
        case incomplete
    }

    private static func classify(_ bytes: ArraySlice<UInt8>) -> Classification {
        let header = [HxMPacket.startOfText, HxMPacket.identifier, HxMPacket.payloadSize]
        guard zip(bytes, header).allSatisfy(==) else { return .noPacket }
        guard bytes.count >= HxMPacket.size else { return .incomplete }
        let packet = bytes.prefix(HxMPacket.size)
        let check = packet[packet.endIndex - 2]
        let isWhole =
            packet.last == HxMPacket.endOfText
            && checksum(packet.dropFirst(HxMPacket.payload.lowerBound).dropLast(2)) == check
        return isWhole ? .packet : .noPacket
    }

    /// CRC-8 with the reflected polynomial 0x8C from 0, as 1-Wire devices use it (CRC-8/MAXIM-DOW).
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0) { value, byte in
            var register = value ^ byte
            for _ in 0..<8 {
                register = register & 1 == 1 ? register >> 1 ^ 0x8C : register >> 1
            }
            return register
        }
    }
}
