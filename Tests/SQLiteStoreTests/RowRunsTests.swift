import GatewayTesting
import Platform
import XCTest

@testable import SQLite

final class RowRunsTests: XCTestCase {
    private func decode(_ bytes: [UInt8]) -> RowRuns? {
        bytes.withUnsafeBytes { RowRuns($0) }
    }

    func testRuns_endWhereRowsAreNotConnected() {
        let runs = RowRuns(ofSorted: [1, 2, 5, 9, 9]) { $1 - $0 < 4 }
        XCTAssertEqual(runs.runs, [1...5, 9...9])
        XCTAssertEqual(RowRuns(ofSorted: []) { _, _ in true }.runs, [])
    }

    func testBytes_areDecodedAgain() {
        var generator = SeededGenerator(seed: 8)
        let ends: [Int64] = [.min, .min + 1, -1, 0, 1, 127, 128, .max - 1, .max]
        for _ in 0..<2_000 {
            let rows = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                Bool.random(using: &generator)
                    ? ends.randomElement(using: &generator) ?? 0
                    : Int64.random(in: .min ... .max, using: &generator)
            }
            var isConnected: [Bool] = rows.map { _ in Bool.random(using: &generator) }
            let runs = RowRuns(ofSorted: Set(rows).sorted()) { _, _ in
                isConnected.popLast() ?? false
            }
            XCTAssertEqual(decode(runs.bytes), runs)
        }
    }

    /// A file may be damaged: decoding ends, and what it returns is in order.
    func testDamagedBytes_areRefusedOrInOrder() {
        var generator = SeededGenerator(seed: 9)
        let whole = RowRuns(ofSorted: [1, 300, 70_000, .max]) { _, _ in false }.bytes
        for end in whole.indices {
            let runs = decode(Array(whole[..<end]))
            XCTAssertNotEqual(runs?.runs.count, 4)
        }
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            guard let runs = decode(bytes)?.runs else { continue }
            for (run, next) in zip(runs, runs.dropFirst()) {
                XCTAssertLessThan(run.upperBound, next.lowerBound)
            }
        }
        XCTAssertNil(decode(Array(repeating: 0xff, count: 11)))
    }
}
