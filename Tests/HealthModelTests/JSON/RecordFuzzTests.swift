import HealthModel
import Platform
import XCTest

/// Tests that any input is decoded or rejected and never traps.
final class RecordFuzzTests: XCTestCase {
    func testDecode_whenTruncated_throws() throws {
        for record in try RecordExamples.all() {
            let line = RecordExamples.line(record)
            var decoder = RecordDecoder()
            _ = try decoder.decode(line)
            for count in 0..<line.count {
                XCTAssertThrowsError(try decoder.decode(line.prefix(count)), "\(count) bytes")
            }
        }
    }

    func testDecode_whenRandomBytes_throws() {
        let seed: UInt64 = 11
        var generator = SeededGenerator(seed: seed)
        var decoder = RecordDecoder()
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...80, using: &generator)
            let line = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            XCTAssertThrowsError(try decoder.decode(line), "\(line), seed \(seed)")
        }
    }

    func testDecode_whenMutated_throwsOrReadsWhatReadsBack() throws {
        let seed: UInt64 = 12
        var generator = SeededGenerator(seed: seed)
        let lines = try RecordExamples.all().map(RecordExamples.line)
        var decoder = RecordDecoder()
        var readCount = 0
        for _ in 0..<60_000 {
            var line = lines.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&line, &generator) }
            guard let record = try? decoder.decode(line) else { continue }
            readCount += 1
            XCTAssertEqual(try decoder.decode(RecordExamples.line(record)), record, "seed \(seed)")
        }
        XCTAssertGreaterThan(readCount, 1_000)
    }

    private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard let index = bytes.indices.randomElement(using: &generator) else { return }
        let signs = Array(#"{}[]",:\u0e-+. 019"#.utf8)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes[index] = signs.randomElement(using: &generator) ?? 0
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(signs.randomElement(using: &generator) ?? 0, at: index)
        default:
            let end = Int.random(in: index...min(index + 40, bytes.count), using: &generator)
            bytes.insert(contentsOf: bytes[index..<end], at: index)
        }
    }
}
