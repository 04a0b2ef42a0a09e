import GatewayTesting
import Platform
import XCTest

@testable import HealthModel

/// Tests that the fast decoding of cached streams gives the same result as the full decoding.
final class RecordLineFuzzTests: XCTestCase {
    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u0000", "\\ud83d", "\\ud83d\\ude00", "null",
        "true", "1e999",
        "-0", "0.1", "e5", "1234567890123456789012", " ", "\n", "\t", "\u{0}", "é", "\"id\":",
        "\"value\":",
        "\"metadata\":{", "\"kind\":\"category\",", "\"kind\":\"correlation\",", "\"samples\":[",
        "\"unit\":\"count/min\"", ",\"x\":[[[[[[[[", "{\"x\":",
        "2026-11-21T18:15:00Z",
        "Z", "+01:00", "0198f3c2-0123-8abc-9def-00ff10203040",
    ].map { Array($0.utf8) }

    private static let mostCuts = 1_000

    func testDecode_ofAKnownStream_isTheSameAsOfAnUnknownOne() throws {
        var run = FuzzRun("lines of known streams", inputs: 200)
        var readCount = 0
        while var random = run.next() {
            var warm = RecordDecoder()
            let lines = Self.lines(&random)
            for line in lines { _ = try? warm.decode(line) }
            for line in lines {
                var line = line
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    random.mutate(&line, words: Self.words)
                }
                var cold = RecordDecoder()
                let (known, unknown) = (Self.result(&warm, line), Self.result(&cold, line))
                if case .success = unknown { readCount += 1 }
                run.expect(
                    Self.isSame(known, unknown),
                    "\(String(decoding: line, as: UTF8.self)) is \(known), and not \(unknown)")
            }
        }
        XCTAssertEqual(run.finish(), [])
        XCTAssertTrue(run.count < 100 || readCount > 100, "\(readCount)")
    }

    func testDecode_ofAKnownStream_cutAnywhere_throws() {
        var run = FuzzRun("lines cut anywhere", inputs: 4)
        while var random = run.next() {
            var warm = RecordDecoder()
            let lines = Self.lines(&random)
            for line in lines { _ = try? warm.decode(line) }
            guard let line = lines.last else { continue }
            // Only some positions of a long line: all of them would take quadratic time.
            let step = line.count / Self.mostCuts + 1
            for count in stride(from: 0, to: line.count, by: step) {
                var cold = RecordDecoder()
                let cut = Array(line.prefix(count))
                let (known, unknown) = (Self.result(&warm, cut), Self.result(&cold, cut))
                if case .success = known { run.expect(false, "\(count) bytes were enough") }
                run.expect(Self.isSame(known, unknown), "\(count) bytes: \(known), not \(unknown)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testRecords_writtenAndRead_areTheSame() {
        var run = FuzzRun("records written and read", inputs: 200)
        while var random = run.next() {
            var (encoder, decoder) = (RecordLineEncoder(), RecordDecoder())
            for record in Self.records(&random) {
                let line = RecordExamples.line(record)
                var written: [UInt8] = []
                encoder.append(record, to: &written)
                run.expect(written == line + [0x0A], "a stream's line is another than a record's")
                run.expect(
                    line.count <= RecordDecoder.maximumLineLength && !line.contains(0x0A),
                    "a line of \(line.count) bytes")
                let read = Self.result(&decoder, line)
                run.expect(
                    Self.isSame(read, .success(record)),
                    "\(String(decoding: line, as: UTF8.self)) is \(read)")
            }
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testDecode_ofAnyBytes_isNoLongerThanItsLine() {
        var run = FuzzRun("lines of any bytes", inputs: 3_000)
        let examples = (try? RecordExamples.all().map(RecordExamples.line)) ?? []
        XCTAssertFalse(examples.isEmpty)
        while var random = run.next() {
            var decoder = RecordDecoder()
            var line = random.pick(examples)
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                random.mutate(&line, words: Self.words)
            }
            guard case .success(let record) = Self.result(&decoder, line) else { continue }
            let again = RecordExamples.line(record)
            let read = Self.result(&decoder, again)
            run.expect(
                Self.isSame(read, .success(record)),
                "\(String(decoding: line, as: UTF8.self)) reads back as \(read)")
        }
        XCTAssertEqual(run.finish(), [])
    }

    /// Mixed records of several streams, with some events.
    private static func records(_ random: inout SeededGenerator) -> [Record] {
        var records: [Record] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            records += RandomRecords.stream(3, &random).map { .sample($0) }
        }
        if random.once(in: 2) { records.append(.event(RandomRecords.event(&random))) }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            if let record = RandomRecords.other(&random) { records.append(record) }
        }
        return records.shuffled(using: &random)
    }

    private static func lines(_ random: inout SeededGenerator) -> [[UInt8]] {
        records(&random).map(RecordExamples.line)
    }

    private static func result(
        _ decoder: inout RecordDecoder, _ line: [UInt8]
    ) -> Result<Record, RecordDecodingError> {
        do throws(RecordDecodingError) {
            return .success(try decoder.decode(line))
        } catch {
            return .failure(error)
        }
    }

    /// Also compares the bytes of records, which distinguish -0 from 0.
    private static func isSame(
        _ left: Result<Record, RecordDecodingError>, _ right: Result<Record, RecordDecodingError>
    ) -> Bool {
        guard case .success(let left) = left, case .success(let right) = right else {
            return left == right
        }
        return left == right && RecordExamples.line(left) == RecordExamples.line(right)
    }
}
