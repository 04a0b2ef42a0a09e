/// A hash of 128 bits that takes next to nothing of the time that sending takes.
///
/// It multiplies 64 bits by 64 bits, as wyhash does, in two lanes that meet every byte with different
/// numbers. Bodies that differ by chance have different hashes; it is no use against somebody who looks
/// for equal ones, and whoever could, would only keep data of his own from being stored.
struct BodyHash {
    /// So many bytes are taken at once.
    private static let blockLength = 16

    private(set) var left: UInt64 = 0x9e37_79b9_7f4a_7c15
    private(set) var right: UInt64 = 0xbf58_476d_1ce4_e5b9

    /// Hashes some bytes.
    init(of bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            let end = bytes.count - bytes.count % Self.blockLength
            for place in stride(from: 0, to: end, by: Self.blockLength) {
                add(bytes.word(at: place), bytes.word(at: place + 8))
            }
            var rest: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &rest) { $0.copyBytes(from: bytes[end...]) }
            add(UInt64(littleEndian: rest.0), UInt64(littleEndian: rest.1))
            // Else zeros at the end would not count.
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
    fileprivate func word(at place: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
}
