import ByteDecoding
import FoundationEssentials
import GatewayTesting

@testable import HxM

/// A file beside the tests.
func fixture(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: folder.appending(path: "Fixtures/\(name)")))
}

/// Packets as they come from devices, and two made by hand in which every counter rolls over.
enum Packets {
    static let h1 = bytes(
        """
        02 26 37 1A 00 31 66 50 00 31 64 64 4B 55 29 00 11 FD 01 FA E5 F6 B9 F3 05 F2 B1 F0 A9 ED \
        75 EA 29 E7 F1 E3 D9 E0 A9 DD 75 DA 51 D7 00 00 00 00 00 00 ED 00 96 00 0C 00 A0 00 7A 03
        """)
    static let h2 = bytes(
        """
        02 26 37 1A 00 31 65 50 00 31 62 64 2A 71 78 CB E8 C4 85 C3 75 BB 2A B5 4A B2 33 B1 1B AD \
        1C A8 1C A3 1D 9E 19 99 1A 94 1A 8F 3B 8A 00 00 00 00 00 00 EA 03 7D 01 30 00 60 04 1E 03
        """)
    static let h3 = bytes(
        """
        02 26 37 1A 00 31 66 50 00 31 64 64 4F FE A1 FE C5 FB E5 F8 F1 F5 FD F2 1D F0 39 ED 29 EA \
        15 E7 11 E4 ED E0 CD DD CD DA A1 D7 81 D4 00 00 00 00 00 00 BA 06 00 00 3F 00 00 00 11 03
        """)
    static let h4 = bytes(
        """
        02 26 37 1A 00 31 66 50 00 31 64 64 4F 00 99 04 8D 01 A1 FE C5 FB E5 F8 F1 F5 FD F2 1D F0 \
        39 ED 29 EA 15 E7 11 E4 ED E0 CD DD CD DA 00 00 00 00 00 00 BA 06 00 00 3F 00 00 00 C3 03
        """)
    static let h5 = bytes(
        """
        02 26 37 1A 00 31 66 50 00 31 64 64 49 91 8F D5 C7 D2 DF CF CB CC 93 C9 17 C6 87 C2 EF BE \
        37 BB 63 B7 D3 B3 C3 B0 CB AD C3 AA AF A7 00 00 00 00 00 00 B5 04 00 00 2E 00 00 00 98 03
        """)
    static let h6 = bytes(
        """
        02 26 37 1A 00 31 66 50 00 31 64 64 4A 93 E7 DA 67 D8 8F D5 C7 D2 DF CF CB CC 93 C9 17 C6 \
        87 C2 EF BE 37 BB 63 B7 D3 B3 C3 B0 CB AD 00 00 00 00 00 00 1D 05 32 03 30 00 40 01 00 03
        """)
    static let h7 = bytes(
        """
        02 26 37 1A 00 31 66 50 00 31 64 5A 4B FA 60 EA 40 E7 20 E4 00 E1 E0 DD C0 DA A0 D7 80 D4 \
        60 D1 40 CE 20 CB 00 C8 E0 C4 C0 C1 A0 BE 00 00 00 00 00 00 FA 0F 80 01 7E 00 00 00 99 03
        """)
    static let h8 = bytes(
        """
        02 26 37 1A 00 31 66 50 00 31 64 5A 4B 00 20 FD 00 FA E0 F6 C0 F3 A0 F0 80 ED 60 EA 40 E7 \
        20 E4 00 E1 E0 DD C0 DA A0 D7 80 D4 60 D1 00 00 00 00 00 00 06 00 80 01 02 00 00 00 07 03
        """)
    static let all = [h1, h2, h3, h4, h5, h6, h7, h8]

    /// A packet with other bytes at some offsets and the check byte that fits them.
    static func changing(_ changes: [Int: UInt8], in packet: [UInt8] = h1) -> [UInt8] {
        var packet = packet
        for (offset, byte) in changes { packet[offset] = byte }
        packet[58] = crc8(packet[3..<58])
        return packet
    }
}

/// The check byte of a packet: CRC-8/MAXIM-DOW.
func crc8(_ bytes: some Sequence<UInt8>) -> UInt8 {
    UInt8(truncatingIfNeeded: CRC.crc8Maxim.checksum(bytes))
}

extension FrameSplitter {
    /// The pieces that bytes complete.
    mutating func pieces(_ bytes: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        split(bytes) { pieces.append($0) }
        return pieces
    }
}
