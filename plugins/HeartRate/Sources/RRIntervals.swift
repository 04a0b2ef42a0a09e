/// The RR intervals at the end of a heart rate measurement, oldest first.
///
/// They are in 1/1024 s, unless a ``HeartRateQuirk`` applies.
package struct RRIntervals: RandomAccessCollection, Sendable {
    /// The size of an interval in bytes.
    static let width = 2

    private let bytes: ArraySlice<UInt8>

    /// The complete intervals from an offset; none if the value ends before it.
    init(_ value: [UInt8], from offset: Int) {
        bytes = value.dropFirst(offset)
    }

    /// The first position.
    package var startIndex: Int { 0 }
    /// The position after the last.
    package var endIndex: Int { bytes.count / Self.width }

    /// The interval at a position.
    package subscript(position: Int) -> UInt16 {
        precondition(indices.contains(position), "RR interval index is out of range")
        let index = bytes.startIndex + position * Self.width
        return UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
    }
}
