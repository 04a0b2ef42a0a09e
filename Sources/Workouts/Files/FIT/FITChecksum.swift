/// The checksum of FIT: CRC-16/ARC, with the reflected polynomial 0x8005.
struct FITChecksum {
    private(set) var value: UInt16 = 0

    /// The checksum of some bytes.
    static func of(_ bytes: some Sequence<UInt8>) -> UInt16 {
        var checksum = FITChecksum()
        for byte in bytes { checksum.combine(byte) }
        return checksum.value
    }

    mutating func combine(_ byte: UInt8) {
        value ^= UInt16(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
    }
}
