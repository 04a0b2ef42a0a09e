import JSON

/// The common parts of the lines of a stream's samples.
///
/// It is immutable and used for every line, so it is a class: a copy costs a reference.
final class SampleFrame: Sendable {
    private let model: QuantitySample
    /// The text between the id and the start time.
    private let middle: [UInt8]
    /// The text from the end of the value to the newline.
    private let tail: [UInt8]

    private static let before: StaticString = "{\"id\":\""
    private static let between: StaticString = "\",\"end\":\""
    private static let beforeValue: StaticString = "\",\"value\":"

    /// Makes the frame of a sample's stream.
    init(of sample: QuantitySample) {
        model = sample
        middle = Array("\",\"type\":".utf8) + sample.type.json + Array(",\"start\":\"".utf8)
        var tail: [UInt8] = []
        RecordEncoder.appendEnd(of: sample, to: &tail)
        tail.append(UInt8(ascii: "\n"))
        self.tail = tail
    }

    /// Whether a sample belongs to this stream.
    func fits(_ sample: QuantitySample) -> Bool { model.isOfSameStream(as: sample) }

    /// Appends the line of a sample of this stream, with its newline.
    func append(
        _ sample: QuantitySample, times: inout InstantFormatter, to buffer: inout [UInt8]
    ) {
        let capacity =
            middle.count + RecordID.textCount + 2 * Instant.maximumTextLength
            + Number.maximumTextLength
            + Self.before.utf8CodeUnitCount + Self.between.utf8CodeUnitCount
            + Self.beforeValue.utf8CodeUnitCount
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { text in
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

    /// Decodes the line of a sample of this stream; nil when it is of another stream or formatted
    /// differently.
    ///
    /// The text between the four varying parts is only compared.
    func decode(_ line: UnsafeRawBufferPointer) -> QuantitySample? {
        // The expected offset of `middle`: a fast check for lines of other streams.
        let place = Self.before.utf8CodeUnitCount + RecordID.textCount
        guard middle.withUnsafeBytes({ line.hasBytes($0, at: place) }) else { return nil }
        var cursor = JSONCursor(line)
        // The cursor reads the quotation marks around the id and the times.
        let typeAndStart = middle[1..<(middle.count - 1)]
        guard cursor.take(literal: "{\"id\":"), let id = try? cursor.readID(),
            typeAndStart.withUnsafeBytes({ cursor.take(exactly: $0) }),
            let start = try? cursor.readInstant(for: "start"), cursor.take(literal: ",\"end\":"),
            let end = try? cursor.readInstant(for: "end"), cursor.take(literal: ",\"value\":"),
            let value = try? cursor.readNumber(for: "value"),
            tail.dropLast().withUnsafeBytes({ cursor.take(exactly: $0) }), cursor.peek() == nil
        else { return nil }
        return model.with(id: id, start: start, end: end, value: value)
    }
}

/// A writer that appends text to a buffer; it traps when the buffer is too small.
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

    /// Calls a function that writes at the end and returns the number of bytes written.
    mutating func write(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        count += body(UnsafeMutableBufferPointer(rebasing: text[count...]))
    }
}
