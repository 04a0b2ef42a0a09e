/// The sizes and the error correction of a version at level L (ISO/IEC 18004, tables 1, 7 and 9).
struct QRVersion: Equatable, Sendable {
    let number: Int
    /// The number of codewords with those of the error correction.
    let total: Int
    /// The number of codewords of the error correction in each block.
    let correction: Int
    /// The number of blocks, which are equally long.
    let blocks: Int
    /// The positions of the centres of alignment patterns in rows and columns.
    let alignment: [Int]

    /// The versions 1 to 9, whose length has 8 bits and whose blocks are equally long.
    static let all = [
        QRVersion(number: 1, total: 26, correction: 7, blocks: 1, alignment: []),
        QRVersion(number: 2, total: 44, correction: 10, blocks: 1, alignment: [6, 18]),
        QRVersion(number: 3, total: 70, correction: 15, blocks: 1, alignment: [6, 22]),
        QRVersion(number: 4, total: 100, correction: 20, blocks: 1, alignment: [6, 26]),
        QRVersion(number: 5, total: 134, correction: 26, blocks: 1, alignment: [6, 30]),
        QRVersion(number: 6, total: 172, correction: 18, blocks: 2, alignment: [6, 34]),
        QRVersion(number: 7, total: 196, correction: 20, blocks: 2, alignment: [6, 22, 38]),
        QRVersion(number: 8, total: 242, correction: 24, blocks: 2, alignment: [6, 24, 42]),
        QRVersion(number: 9, total: 292, correction: 30, blocks: 2, alignment: [6, 26, 46]),
    ]

    /// The number of modules on a side.
    var size: Int { 17 + 4 * number }

    /// The number of codewords for data.
    private var data: Int { total - correction * blocks }

    /// The number of bytes of text: mode and length take 12 bits.
    var capacity: Int { data - 2 }

    /// The codewords of the data and of their error correction, interleaved.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        let message = message(of: bytes)
        let length = data / blocks
        let parts = (0..<blocks).map { Array(message[($0 * length)..<(($0 + 1) * length)]) }
        let corrections = parts.map { ReedSolomon.correction(of: $0, count: correction) }
        return (0..<length).flatMap { index in parts.map { $0[index] } }
            + (0..<correction).flatMap { index in corrections.map { $0[index] } }
    }

    /// Mode, length, bytes, terminator and padding.
    private func message(of bytes: [UInt8]) -> [UInt8] {
        let byteMode: UInt8 = 0b0100
        // The terminator is the last one.
        var nibbles: [UInt8] = [byteMode, UInt8(bytes.count) >> 4, UInt8(bytes.count) & 0xF]
        for byte in bytes { nibbles += [byte >> 4, byte & 0xF] }
        nibbles.append(0)
        var message = stride(from: 0, to: nibbles.count, by: 2).map {
            nibbles[$0] << 4 | nibbles[$0 + 1]
        }
        let padding: [UInt8] = [0xEC, 0x11]
        let missing = data - message.count
        message += (0..<missing).map { padding[$0 % 2] }
        return message
    }
}

/// The error correction over GF(256) with the polynomial 0x11D (ISO/IEC 18004, 7.5.2 and annex A).
enum ReedSolomon {
    /// The remainder of the data divided by the generator polynomial.
    static func correction(of data: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(degree: count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in 0..<count { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    /// The coefficients of (x - 1)(x - 2)(x - 4)…, without the leading 1.
    private static func generator(degree: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: degree)
        coefficients[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for bit in (0..<8).reversed() {
            let isLarge = result & 0x80 != 0
            result = (result << 1) ^ (isLarge ? 0x1D : 0)
            if right >> UInt8(bit) & 1 != 0 { result ^= left }
        }
        return result
    }
}
