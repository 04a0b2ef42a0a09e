/// Finds the packets in a stream of bytes.
///
/// The bytes that begin and end a packet occur inside it too. So a packet is taken only when its
/// beginning, its identifier, its length, its check byte and its end all fit; else the search goes on
/// one byte further, and no whole packet is lost behind a damaged one.
struct HxMFramer {
    /// What was found.
    enum Piece: Equatable {
        /// A whole packet.
        case packet(ArraySlice<UInt8>)
        /// Bytes that belong to no packet; said once, however many follow each other.
        case damaged
    }

    /// What the search has not decided on: never as much as a packet.
    private var pending: [UInt8] = []
    private var isLost = false

    /// Forgets the beginning of a packet.
    mutating func reset() {
        pending.removeAll(keepingCapacity: true)
        isLost = false
    }

    /// Takes bytes and answers with what they complete.
    mutating func frame(_ bytes: [UInt8]) -> [Piece] {
        pending += bytes
        var pieces: [Piece] = []
        var start = 0
        while start < pending.count {
            switch Self.judge(pending[start...]) {
            case .incomplete:
                pending.removeSubrange(..<start)
                return pieces
            case .packet:
                pieces.append(.packet(pending[start..<(start + HxMPacket.size)]))
                start += HxMPacket.size
                isLost = false
            case .noPacket:
                if !isLost { pieces.append(.damaged) }
                start += 1
                isLost = true
            }
        }
        pending.removeAll(keepingCapacity: true)
        return pieces
    }

    private enum Judgement {
        case packet
        case noPacket
        case incomplete
    }

    private static func judge(_ bytes: ArraySlice<UInt8>) -> Judgement {
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
