import GatewayTesting
import HealthModel
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import Platform

/// Tests that random bytes are split at newlines without loss.
final class RecordLinesFuzzTests: XCTestCase {
    func testLines_ofAnyBytes_areTheirPiecesJoined() {
        var run = FuzzRun("lines of the journal", inputs: 3_000)
        while var random = run.next() {
            let bytes = Self.bytes(&random)
            let lines = RecordLines(bytes)
            let pieces = (0..<lines.count).map { Array(lines[$0]) }
            run.expect(Array(pieces.joined()) == bytes, "the lines are not the bytes")
            run.expect(
                pieces.allSatisfy { !$0.isEmpty && !$0.dropLast().contains(0x0A) },
                "a line is empty, or has a newline in it")
            let middle = Int.random(in: 0...lines.count, using: &random)
            let (front, back) = (lines[0..<middle], lines[middle..<lines.count])
            run.expect(RecordLines(joining: [front, back]) == lines, "cut at \(middle)")
            run.expect(
                lines.filter { $0 >= middle }.bytes == back.bytes, "filtered from \(middle)")
            let limit = Int64.random(in: -1...Int64(bytes.count), using: &random)
            run.expect(
                lines.prefix(count: middle, bytes: limit)
                    == Self.prefix(of: pieces, count: middle, bytes: limit),
                "up to \(middle) lines and \(limit) bytes")
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// Whatever is appended and cut out, the records are those of the lines, or none.
    func testRecords_afterAnySteps_areThoseOfTheLines() throws {
        var run = FuzzRun("records of lines", inputs: 500)
        var pool = try (0..<40).map { try Self.record($0) }
        while var random = run.next() {
            pool.shuffle(using: &random)
            var lines = RecordLines([])
            var model: [Record?] = []
            for _ in 0..<8 {
                let (more, records) = Self.part(of: pool, &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0 where !model.isEmpty:
                    let start = Int.random(in: 0..<model.count, using: &random)
                    let end = Int.random(in: start...model.count, using: &random)
                    (lines, model) = (lines[start..<end], Array(model[start..<end]))
                case 1:
                    lines = lines.filter { $0 % 3 != 1 }
                    model = model.indices.filter { $0 % 3 != 1 }.map { model[$0] }
                case 2 where !records.isEmpty:
                    let index = Int.random(in: 0..<records.count, using: &random)
                    lines.append(more, at: index)
                    model.append(records[index])
                default:
                    lines.append(more)
                    model += records
                }
                // One unknown record makes all of them unknown.
                if model.contains(where: { $0 == nil }) { model = model.map { _ in nil } }
                run.expect(lines.count == model.count, "the number of lines")
                let known = lines.records
                let all = model.allSatisfy { $0 != nil }
                run.expect(known == nil || known == model.compactMap { $0 }, "other records")
                run.expect(known != nil || !all, "the records were forgotten")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// Lines of some records, which know them in four of five cases.
    private static func part(
        of pool: [Record], _ random: inout SeededGenerator
    ) -> (RecordLines, [Record?]) {
        let start = Int.random(in: 0..<pool.count, using: &random)
        let end = min(start + Int.random(in: 0..<5, using: &random), pool.count)
        var lines = RecordBatch(Array(pool[start..<end])).lines
        guard random.once(in: 5) else { return (lines, Array(pool[start..<end])) }
        lines.forgetRecords()
        return (lines, [Record?](repeating: nil, count: end - start))
    }

    private static func record(_ number: Int) throws -> Record {
        let time = Instant(nanosecondsSince1970: Int64(number) * 1_000_000_000)
        return .sample(
            try QuantitySample(
                id: RecordID.make(start: time, device: "d", stream: "", key: UInt64(number)),
                type: .heartRate, start: time, end: time,
                quantity: Quantity(Double(number), QuantityType.heartRate.canonicalUnit)))
    }

    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        let signs: [UInt8] = [0x0A, 0x0A, 0x0D, 0x00, 0x7B, 0x7D, 0xFF]
        return (0..<Int.random(in: 0...120, using: &random)).map { _ in random.pick(signs) }
    }

    /// The same, counted line by line.
    private static func prefix(of lines: [[UInt8]], count: Int, bytes: Int64) -> Int {
        var size: Int64 = 0
        for (index, line) in lines.prefix(count).enumerated() {
            size += Int64(line.count)
            if size > bytes { return max(index, 1) }
        }
        return min(count, lines.count)
    }
}
