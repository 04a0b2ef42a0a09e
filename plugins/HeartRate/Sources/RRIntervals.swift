/// The RR intervals at the end of a heart rate measurement, in 1/1024 s, oldest first.
package struct RRIntervals: RandomAccessCollection, Hashable, Sendable {
    /// The bytes of one interval.
    static let width = 2
    /// How many ticks make a second.
    package static let ticksPerSecond = 1024.0

    private let value: [UInt8]
    private let offset: Int

    /// No intervals.
    init() {
        self.init([], from: 0)
    }

    /// The whole intervals from an offset of the value on.
    init(_ value: [UInt8], from offset: Int) {
        self.value = value
        self.offset = offset
        endIndex = (value.count - offset) / Self.width
    }

    /// The first position.
    package var startIndex: Int { 0 }
    /// The position after the last.
    package let endIndex: Int

    /// The interval at a position.
    package subscript(position: Int) -> UInt16 {
        precondition(indices.contains(position), "no RR interval has this position")
        let index = offset + position * Self.width
        return UInt16(value[index]) | UInt16(value[index + 1]) << 8
    }

    /// Whether both hold the same intervals, wherever in their values.
    package static func == (left: RRIntervals, right: RRIntervals) -> Bool {
        left.elementsEqual(right)
    }

    /// Hashes the intervals.
    package func hash(into hasher: inout Hasher) {
        for interval in self { hasher.combine(interval) }
    }
}
