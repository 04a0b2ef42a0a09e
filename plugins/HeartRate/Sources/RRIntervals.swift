/// The RR intervals at the end of a heart rate measurement, oldest first.
///
/// They are in 1/1024 s, where the sensor keeps to the service; ``HeartRateQuirk`` has the others.
package struct RRIntervals: RandomAccessCollection, Sendable {
    /// The bytes of one interval.
    static let width = 2

    private let bytes: ArraySlice<UInt8>

    /// The whole intervals from an offset of a value on; none when the value ends before it.
    init(_ value: [UInt8], from offset: Int) {
        bytes = value.dropFirst(offset)
    }

    /// The first position.
    package var startIndex: Int { 0 }
    /// The position after the last.
    package var endIndex: Int { bytes.count / Self.width }

    /// The interval at a position.
    package subscript(position: Int) -> UInt16 {
        precondition(indices.contains(position), "no RR interval has this position")
        let index = bytes.startIndex + position * Self.width
        return UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
    }
}
