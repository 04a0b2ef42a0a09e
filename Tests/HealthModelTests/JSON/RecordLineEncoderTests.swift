import Platform
import XCTest

@testable import HealthModel

final class RecordLineEncoderTests: XCTestCase {
    private let people = [nil, "ada", "bob"]
    private let types: [(QuantityType, HealthModel.Unit)] = [
        (.heartRate, .countPerMinute), (.stepCount, .count), (.rrInterval, .millisecond),
    ]

    func testAppend_ofEveryExample_writesItsLine() throws {
        let records: [Record] = [
            .sample(try RecordExamples.fullSample()), .event(RecordExamples.fullEvent()),
            .sample(try RecordExamples.sample()), .sample(try RecordExamples.sample(-0.0)),
            .sample(
                try RecordExamples.sample(metadata: RecordExamples.metadataOfEveryKind())),
        ]
        XCTAssertEqual(lines(records + records.reversed()), expected(records + records.reversed()))
    }

    func testAppend_ofAlternatingStreams_writesEveryLineAsIfItWereAlone() throws {
        var generator = SeededGenerator(seed: 20_261_122)
        var start = Int64(-3_000_000_000)
        let records = try (0..<5_000).map { _ in
            start += Int64.random(in: 0...1_500_000_000, using: &generator)
            if Bool.random(using: &generator) { start -= start % 1_000_000 }
            return Record.sample(try sample(from: start, &generator))
        }
        XCTAssertEqual(lines(records), expected(records))
    }

    /// Swift strings and numbers can be equal although their bytes differ.
    func testAppend_ofEqualValuesWithDifferentBytes_writesEachUnchanged() throws {
        let texts = ["\u{E9}", "e\u{301}", "a\u{323}\u{301}", "a\u{301}\u{323}", "K", "\u{212A}"]
        let values: [MetadataValue] =
            texts.map { .string($0) } + [.number(0), .number(-0.0)]
            + [.quantity(try Quantity(0, .count)), .quantity(try Quantity(-0.0, .count))]
        var records: [Record] = []
        for value in values { records.append(try record(metadata: Metadata(["x": value]))) }
        for text in texts {
            records.append(try record(metadata: Metadata([text: .boolean(true)])))
            records.append(try record(source: SourceRevision(name: text)))
            records.append(try record(device: Device(name: text)))
            if Person.isValidName(text) { records.append(try record(person: text)) }
        }
        XCTAssertEqual(Array(lines(records).utf8), Array(expected(records).utf8))
        records.reverse()
        XCTAssertEqual(Array(lines(records).utf8), Array(expected(records).utf8))
    }

    private func record(
        person: String? = nil, device: Device? = nil, source: SourceRevision? = nil,
        metadata: Metadata = Metadata()
    ) throws -> Record {
        let now = Instant(nanosecondsSince1970: 0)
        return .sample(
            try QuantitySample(
                id: RecordExamples.id, type: .heartRate, start: now, end: now,
                quantity: Quantity(60, .countPerMinute), person: person, device: device,
                source: source, metadata: metadata))
    }

    func testAppend_atTheEndsOfTime_writesThem() throws {
        let ends: [Int64] = [.min, .min + 1, -1, 0, 999_999_999, 1_000_000_000, .max - 1, .max]
        let records = try (ends + ends.reversed()).map { nanoseconds in
            let now = Instant(nanosecondsSince1970: nanoseconds)
            return Record.sample(
                try QuantitySample(
                    id: RecordExamples.id, type: .heartRate, start: now, end: now,
                    quantity: Quantity(60, .countPerMinute)))
        }
        XCTAssertEqual(lines(records), expected(records))
    }

    private func sample(
        from start: Int64, _ generator: inout SeededGenerator
    ) throws -> QuantitySample {
        let (type, unit) = types.randomElement(using: &generator) ?? types[0]
        let value =
            Bool.random(using: &generator) ? 72 : Double.random(in: 0...1e9, using: &generator)
        let device = Device(localIdentifier: "device \(Int.random(in: 0...3, using: &generator))")
        let start = Instant(nanosecondsSince1970: start)
        return try QuantitySample(
            id: RecordID(
                high: .random(in: 0 ... .max, using: &generator),
                low: .random(in: 0 ... .max, using: &generator)),
            type: type, start: start, end: start.adding(nanoseconds: 1),
            quantity: Quantity(value, unit), person: people.randomElement(using: &generator) ?? nil,
            device: device,
            metadata: Bool.random(using: &generator)
                ? Metadata(["HKHeartRateSensorLocation": .number(1)]) : Metadata())
    }

    private func lines(_ records: [Record]) -> String {
        var encoder = RecordLineEncoder()
        var buffer: [UInt8] = []
        for record in records { encoder.append(record, to: &buffer) }
        return String(decoding: buffer, as: UTF8.self)
    }

    private func expected(_ records: [Record]) -> String {
        var buffer: [UInt8] = []
        for record in records {
            RecordEncoder.append(record, to: &buffer)
            buffer.append(UInt8(ascii: "\n"))
        }
        return String(decoding: buffer, as: UTF8.self)
    }
}
