import GatewayCore
import HealthModel

/// A fast 64-bit checksum of a batch and its place, which detects every change within one word of 8
/// bytes.
///
/// Four lanes process the little-endian words in turn. The mixing steps are invertible (exclusive
/// or, multiplication by an odd number, shift), so different words always produce different lanes.
/// The last bytes are padded with zeros, and the length is part of the sum. It detects disk errors,
/// not deliberate manipulation.
enum BatchChecksum {
    /// Calculates the checksum of lines at a place.
    static func checksum(
        _ bytes: UnsafeRawBufferPointer, count: Int64, at place: JournalPlace
    ) -> Int64 {
        // Local constants: a static property would be loaded for every word.
        let factors: (UInt64, UInt64, UInt64, UInt64) = (
            0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9,
            0xFF51_AFD7_ED55_8CCD
        )
        var lanes = (
            UInt64(bitPattern: place.first), UInt64(bitPattern: place.position),
            UInt64(bitPattern: place.time.nanosecondsSince1970), UInt64(bitPattern: count)
        )
        var offset = 0
        while offset + 32 <= bytes.count {
            lanes.0 = mix(lanes.0, word(bytes, offset), factors.0)
            lanes.1 = mix(lanes.1, word(bytes, offset + 8), factors.1)
            lanes.2 = mix(lanes.2, word(bytes, offset + 16), factors.2)
            lanes.3 = mix(lanes.3, word(bytes, offset + 24), factors.3)
            offset += 32
        }
        while offset + 8 <= bytes.count {
            lanes.0 = mix(lanes.0, word(bytes, offset), factors.0)
            offset += 8
        }
        var rest: UInt64 = 0
        for index in offset..<bytes.count { rest = rest << 8 | UInt64(bytes[index]) }
        lanes.1 = mix(lanes.1, rest, factors.1)
        var sum = mix(lanes.0, UInt64(bytes.count), factors.0)
        sum = mix(sum, lanes.1, factors.1)
        sum = mix(sum, lanes.2, factors.2)
        return Int64(bitPattern: mix(sum, lanes.3, factors.3))
    }

    @inline(__always)
    private static func mix(_ lane: UInt64, _ word: UInt64, _ factor: UInt64) -> UInt64 {
        let product = (lane ^ word) &* factor
        return product ^ (product >> 29)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
