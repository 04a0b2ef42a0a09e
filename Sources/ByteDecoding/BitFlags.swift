/// The bits of a flags field, by number; bit 0 is the least significant one.
///
/// ```swift
/// let flags = BitFlags(try reader.uint16())
/// if flags[4] { … }
/// let location = flags[5...7]
/// ```
public struct BitFlags<Raw: FixedWidthInteger & UnsignedInteger & Sendable>: Hashable, Sendable {
    /// The field as a number.
    public let rawValue: Raw

    /// Makes flags from a field.
    @inlinable
    public init(_ rawValue: Raw) {
        self.rawValue = rawValue
    }

    /// Whether a bit is set; false for a bit that the field does not have.
    @inlinable
    public subscript(bit: Int) -> Bool {
        guard (0..<Raw.bitWidth).contains(bit) else { return false }
        return rawValue >> bit & 1 == 1
    }

    /// The number in a range of bits; bits that the field does not have are 0.
    @inlinable
    public subscript(bits: ClosedRange<Int>) -> Raw {
        let low = max(bits.lowerBound, 0)
        let high = min(bits.upperBound, Raw.bitWidth - 1)
        guard low <= high else { return 0 }
        let shifted = rawValue >> low
        let count = high - low + 1
        return count >= Raw.bitWidth ? shifted : shifted & (1 << count - 1)
    }
}
