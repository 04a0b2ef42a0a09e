import JSON

/// What the lines of a stream's samples have in common.
///
/// It never changes, and it is looked at for every line: a copy costs a reference.
final class SampleFrame: Sendable {
    private let model: QuantitySample
    /// From the id's end to the start time.
    private let middle: [UInt8]
    /// From the value's end to the newline.
    private let tail: [UInt8]

    private static let before: StaticString = "{\"id\":\""
    private static let between: StaticString = "\",\"end\":\""
    private static let beforeValue: StaticString = "\",\"value\":"

    /// Takes what the line of this sample and those of its stream have in common.
    init(of sample: QuantitySample) {
        model = sample
        middle = Array("\",\"type\":".utf8) + sample.type.json + Array(",\"start\":\"".utf8)
        var tail: [UInt8] = []
        RecordEncoder.appendEnd(of: sample, to: &tail)
        tail.append(UInt8(ascii: "\n"))
        self.tail = tail
    }

    /// Whether the line of a sample has these parts.
    func fits(_ sample: QuantitySample) -> Bool {
        model.type == sample.type && model.quantity.unit == sample.quantity.unit
            && model.device == sample.device && model.source == sample.source
            && model.hasSamePersonText(as: sample)
            && model.metadata.hasSameText(as: sample.metadata)
    }

    /// Appends the line of a sample that fits, with its newline.
    func append(
        _ sample: QuantitySample, times: inout InstantText, to buffer: inout [UInt8]
    ) {
        let room =
            middle.count + RecordID.textCount + 2 * Instant.maximumTextLength
            + Number.maximumTextLength
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

    /// Reads the line of a sample that fits; nil when it is another's, or written in another way.
    ///
    /// What stands between the four parts that differ is compared and not read again.
    func decode(_ line: UnsafeRawBufferPointer) -> QuantitySample? {
        // Where it stands when it fits: lines of other streams are told apart here.
        let place = Self.before.utf8CodeUnitCount + RecordID.textCount
        guard middle.withUnsafeBytes({ line.hasBytes($0, at: place) }) else { return nil }
        var cursor = JSONCursor(line)
        // The quotation marks around the id and the times belong to them.
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
