import ByteDecoding

/// The compressed values of three channels: the first ones in full, then blocks of differences.
///
/// A block has the width of a difference in bits, the number of differences per channel, and these
/// differences, channel by channel for each moment, the least significant bit first. A block ends at
/// a whole byte.
enum DeltaFrame {
    /// The number of channels.
    private static let channelCount = 3
    /// The widths of a difference; a longer one than that of a whole number is no compression.
    private static let widths: ClosedRange<UInt8> = 1...32

    /// Decodes the values of each moment, oldest first.
    static func decode(_ values: ByteReader) throws(ByteDecodingError) -> [[Int]] {
        var reader = values
        var moment: [Int] = []
        for _ in 0..<channelCount { moment.append(Int(try reader.int16())) }
        var moments = [moment]
        while reader.remainingCount > 0 {
            let width = try reader.uint8()
            let count = Int(try reader.uint8())
            guard widths.contains(width) else { throw .invalid }
            let bitCount = Int(width) * count * channelCount
            var bits = BitReader(try reader.bytes((bitCount + 7) / 8))
            for _ in 0..<count {
                for channel in 0..<channelCount { moment[channel] += bits.signed(Int(width)) }
                moments.append(moment)
            }
        }
        return moments
    }
}

/// Reads whole numbers of any width from bytes, the least significant bit first.
private struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var bit = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    /// Reads a number in two's complement; bits after the end are 0.
    mutating func signed(_ width: Int) -> Int {
        var value = 0
        for offset in 0..<width {
            let index = bytes.startIndex + (bit + offset) / 8
            guard index < bytes.endIndex else { break }
            value |= Int(bytes[index] >> ((bit + offset) % 8) & 1) << offset
        }
        bit += width
        let unused = Int.bitWidth - width
        return (value << unused) >> unused
    }
}
