/// A cache of the frames of recent streams, to decode their lines faster.
///
/// The lines of a stream differ only in the id, the two times and the value.
struct RecentFrames: Sendable {
    private static let maximumCount = 8

    private var frames: [SampleFrame] = []
    private var oldest = 0

    /// Decodes a line of a cached stream; nil when the line needs a full decode.
    mutating func decode(_ line: UnsafeRawBufferPointer) -> QuantitySample? {
        for place in frames.indices {
            guard let sample = frames[place].decode(line) else { continue }
            // Consecutive lines are usually of one stream.
            if place > 0 { frames.swapAt(place, place - 1) }
            return sample
        }
        return nil
    }

    /// Caches the stream of a sample, if its line has the format of ``RecordEncoder``.
    mutating func note(_ sample: QuantitySample, readFrom line: UnsafeRawBufferPointer) {
        let frame = SampleFrame(of: sample)
        guard frame.decode(line) == sample else { return }
        if frames.count < Self.maximumCount {
            frames.append(frame)
        } else {
            frames[oldest] = frame
            oldest = (oldest + 1) % Self.maximumCount
        }
    }
}
