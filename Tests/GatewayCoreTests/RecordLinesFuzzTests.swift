import GatewayTesting
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
