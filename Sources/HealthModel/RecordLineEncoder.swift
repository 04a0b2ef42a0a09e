/// Writes many records as JSON, each on a line with its newline.
///
/// The lines are those of ``RecordEncoder``. What the samples of a stream have in common is written
/// once and then copied, so keep one encoder for a batch or for longer.
package struct RecordLineEncoder: Sendable {
    /// So many streams are remembered: a device rarely has more.
    private static let frameLimit = 8

    private var frames: [SampleFrame] = []
    private var oldest = 0
    private var times = InstantText()

    /// Makes an encoder that has seen nothing.
    package init() {}

    /// Appends a record and a newline.
    package mutating func append(_ record: Record, to buffer: inout [UInt8]) {
        switch record {
        case .sample(let sample):
            let place = frames.firstIndex { $0.fits(sample) } ?? addFrame(of: sample)
            frames[place].append(sample, times: &times, to: &buffer)
        case .event:
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

/// What the lines of a stream's samples have in common.
private struct SampleFrame: Sendable {
    private let model: QuantitySample
    /// From the id's end to the start time.
    private let middle: [UInt8]
    /// From the value's end to the newline.
    private let tail: [UInt8]

    private static let before: StaticString = "{\"id\":\""
    private static let between: StaticString = "\",\"end\":\""
    private static let beforeValue: StaticString = "\",\"value\":"

    init(of sample: QuantitySample) {
        model = sample
        middle = Array("\",\"type\":".utf8) + sample.type.json + Array(",\"start\":\"".utf8)
        var tail: [UInt8] = []
        RecordEncoder.appendEnd(of: sample, to: &tail)
        tail.append(UInt8(ascii: "\n"))
        self.tail = tail
    }

    func fits(_ sample: QuantitySample) -> Bool {
        model.type == sample.type && model.quantity.unit == sample.quantity.unit
            && model.device == sample.device && model.source == sample.source
            && model.person == sample.person && model.metadata == sample.metadata
    }

    func append(
        _ sample: QuantitySample, times: inout InstantText, to buffer: inout [UInt8]
    ) {
        let room =
            middle.count + RecordID.textCount + 2 * Instant.longestText + Number.longestText
            + Self.before.utf8CodeUnitCount + Self.between.utf8CodeUnitCount
            + Self.beforeValue.utf8CodeUnitCount
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { text in
            var writer = TextWriter(text)
            writer.write(Self.before)
            writer.write { sample.id.write(to: $0) }
            middle.withUnsafeBufferPointer { writer.write($0) }
            writer.write { times.write(sample.start, to: $0) }
            writer.write(Self.between)
            writer.write { times.write(sample.end, to: $0) }
            writer.write(Self.beforeValue)
            writer.write { Number.write(sample.quantity.value, to: $0) }
            buffer.append(contentsOf: writer.written)
        }
        buffer.append(contentsOf: tail)
    }
}

/// Writes one piece of text behind the other into memory that is large enough; it traps where it is not.
private struct TextWriter {
    private let text: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    init(_ text: UnsafeMutableBufferPointer<UInt8>) {
        self.text = text
    }

    var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: text[..<count]) }

    mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
        write { rest in
            _ = rest[..<piece.count].initialize(fromContentsOf: piece)
            return piece.count
        }
    }

    mutating func write(_ piece: StaticString) {
        piece.withUTF8Buffer { write($0) }
    }

    /// Lets a function write at the end; it answers with how many bytes it has written.
    mutating func write(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        count += body(UnsafeMutableBufferPointer(rebasing: text[count...]))
    }
}

/// Writes times as text; of times in one second the first is reckoned out and the others follow it.
private struct InstantText: Sendable {
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000

    private var last = Instant(nanosecondsSince1970: 0)
    private var text = [UInt8](repeating: 0, count: Instant.longestText)
    private var count = 0
    /// The second that `text` is of, counted from 1970.
    private var second: Int64 = 0

    /// Writes a time and answers with how many bytes it took.
    mutating func write(_ instant: Instant, to place: UnsafeMutableBufferPointer<UInt8>) -> Int {
        if count == 0 || instant != last { renew(instant) }
        return text.withUnsafeBufferPointer { text in
            place[..<count].initialize(fromContentsOf: text[..<count])
        }
    }

    private mutating func renew(_ instant: Instant) {
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
