import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import Exec

final class ReadingLineFuzzTests: XCTestCase {
    private static let words: [[UInt8]] = [
        #""seq":"#, #"{"reading":"#, "\\u00e4", "1e999", "null", "[[[[", "\u{FF}", #""time":""#,
    ].map { Array($0.utf8) }

    func testDecode_ofMutatedLines_decodesOrThrowsAlikeInAnyDecoder() {
        var run = FuzzRun("lines of a program", inputs: 2_000)
        let id = RecordID(high: 1, low: 1)
        var warm = ReadingLineDecoder()
        var decoded = 0
        while var random = run.next() {
            var line = Array(random.pick(ReadingLineTests.samples).utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                random.mutate(&line, words: Self.words)
            }
            if random.once(in: 10) { line = random.bytes(upTo: 500) }
            var cold = ReadingLineDecoder()
            let known = try? warm.decode(line[...], makeID: { _, _ in id })
            let unknown = try? cold.decode(line[...], makeID: { _, _ in id })
            if known != nil { decoded += 1 }
            run.expect(
                known?.content == unknown?.content && known?.number == unknown?.number,
                "\(String(decoding: line, as: UTF8.self)) depends on earlier lines")
        }
        XCTAssertEqual(run.finish(), [])
        XCTAssertTrue(run.count < 100 || decoded > 100, "\(decoded)")
    }
}
