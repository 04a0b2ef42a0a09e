/// What the lines that were read last have in common with those of their streams.
///
/// A stream writes the same in every line but for an id, two times and a value.
struct RecentFrames: Sendable {
    private static let maximumCount = 8

    private var frames: [SampleFrame] = []
    private var oldest = 0

    /// Reads a line of a stream that was met before; nil when it must be read from scratch.
    mutating func decode(_ line: UnsafeRawBufferPointer) -> QuantitySample? {
        for place in frames.indices {
            guard let sample = frames[place].decode(line) else { continue }
            // Runs of one stream are the rule.
            if place > 0 { frames.swapAt(place, place - 1) }
            return sample
        }
        return nil
    }

    /// Remembers the stream of a sample, if its line is written in the usual way.
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
