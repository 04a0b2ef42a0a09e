/// A fast 128-bit non-cryptographic hash.
///
/// It multiplies 64 bits by 64 bits, as wyhash does, in two lanes with different constants. It does not
/// resist deliberate collisions; a sender of colliding bodies would only suppress its own data.
struct BodyHash {
    /// The number of bytes hashed per step.
    private static let blockLength = 16

    private(set) var left: UInt64 = 0x9e37_79b9_7f4a_7c15
    private(set) var right: UInt64 = 0xbf58_476d_1ce4_e5b9

    /// Hashes some bytes.
    init(of bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let end = bytes.count - bytes.count % Self.blockLength
            for offset in stride(from: 0, to: end, by: Self.blockLength) {
                add(bytes.word(at: offset), bytes.word(at: offset + 8))
            }
            var rest: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &rest) { $0.copyBytes(from: bytes[end...]) }
            add(UInt64(littleEndian: rest.0), UInt64(littleEndian: rest.1))
            // Otherwise trailing zeros would not change the hash.
            add(UInt64(bytes.count), 0)
        }
    }

    private mutating func add(_ first: UInt64, _ second: UInt64) {
        left = Self.fold(left ^ first, second ^ 0xa076_1d64_78bd_642f)
        right = Self.fold(right ^ second, first ^ 0xe703_7ed1_a0b4_28db)
    }

    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
