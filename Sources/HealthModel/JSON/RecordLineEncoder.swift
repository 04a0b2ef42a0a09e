/// An encoder for many records as JSON lines.
///
/// The lines are those of ``RecordEncoder``. The common parts of a stream's samples are encoded
/// once and then copied, so use one encoder for at least a batch.
package struct RecordLineEncoder: Sendable {
    /// The number of cached streams: a device rarely has more.
    private static let frameLimit = 8

    private var frames: [SampleFrame] = []
    private var oldest = 0
    private var times = InstantFormatter()

    /// Makes an encoder with an empty cache.
    package init() {}

    /// Appends a record and a newline.
    package mutating func append(_ record: Record, to buffer: inout [UInt8]) {
        switch record {
        case .sample(let sample):
            let place = frames.indices.first { frames[$0].fits(sample) } ?? addFrame(of: sample)
            frames[place].append(sample, times: &times, to: &buffer)
        case .category, .correlation, .workout, .event, .deletion:
            RecordEncoder.append(record, to: &buffer)
            buffer.append(UInt8(ascii: "\n"))
        }
    }

    private mutating func addFrame(of sample: QuantitySample) -> Int {
        let frame = SampleFrame(of: sample)
        guard frames.count == Self.frameLimit else {
            frames.append(frame)
            return frames.count - 1
        }
        defer { oldest = (oldest + 1) % Self.frameLimit }
        frames[oldest] = frame
        return oldest
    }
}

/// A formatter for times that formats only the fraction again for times in the same second.
struct InstantFormatter: Sendable {
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    private var last = Instant(nanosecondsSince1970: 0)
    private var text = [UInt8](repeating: 0, count: Instant.maximumTextLength)
    private var count = 0
    /// The second of `text`, since 1970.
    private var second: Int64 = 0

    /// Writes a time and returns its length in bytes.
    mutating func write(_ instant: Instant, to place: UnsafeMutableBufferPointer<UInt8>) -> Int {
        if count == 0 || instant != last { format(instant) }
        return text.withUnsafeBufferPointer { text in
            place[..<count].initialize(fromContentsOf: text[..<count])
        }
    }

    private mutating func format(_ instant: Instant) {
        var (second, fraction) = instant.nanosecondsSince1970.quotientAndRemainder(
            dividingBy: Self.nanosecondsPerSecond)
        if fraction < 0 {
            second -= 1
            fraction += Self.nanosecondsPerSecond
        }
        let isSameSecond = count > 0 && second == self.second
        count = text.withUnsafeMutableBufferPointer { text in
            isSameSecond
                ? Instant.writeEnd(fraction: Int(fraction), to: text)
                : instant.writeISO8601(to: text)
        }
        self.second = second
        last = instant
    }
}
