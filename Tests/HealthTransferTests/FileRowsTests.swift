import GatewayTesting
import XCTest

@testable import HealthTransfer

final class FileRowsTests: XCTestCase {
    private struct Found: Equatable {
        var rows: [String] = []
        var lines: [Int] = []
        var offsets: [Int] = []
    }

    /// Reads all rows, in pieces of a size.
    private func rows(_ text: [UInt8], hasQuotes: Bool, pieceSize: Int) -> Found {
        var rows = FileRows(hasQuotes: hasQuotes)
        var found = Found()
        var start = 0
        repeat {
            let end = min(start + pieceSize, text.count)
            rows.append(Array(text[start..<end]), isLast: end == text.count)
            start = end
            while let (row, line) = rows.next() {
                switch row {
                case .tooLong: found.rows.append("too long")
                case .bytes(let bytes): found.rows.append(String(decoding: bytes, as: UTF8.self))
                }
                found.lines.append(line)
                found.offsets.append(rows.offset)
            }
        } while start < text.count
        return found
    }

    func testRows_ofPiecesOfEachSize_areTheSame() {
        let text = Array("a\r\nb\n\n\"c\nd\",e\r\nlast".utf8)
        for size in 1...(text.count + 1) {
            XCTAssertEqual(
                rows(text, hasQuotes: true, pieceSize: size),
                Found(
                    rows: ["a", "b", "", "\"c\nd\",e", "last"], lines: [1, 2, 3, 4, 6],
                    offsets: [3, 5, 6, 15, 19]), "\(size)")
            XCTAssertEqual(
                rows(text, hasQuotes: false, pieceSize: size).rows,
                ["a", "b", "", "\"c", "d\",e", "last"], "\(size)")
        }
    }

    func testCarriageReturns_endTheRowsOfTables() {
        for (ending, count) in [("\r", 1), ("\r\n", 2), ("\n", 1)] {
            let text = Array(["a", "", "\"c\(ending)d\",e", "last"].joined(separator: ending).utf8)
            for size in 1...(text.count + 1) {
                let found = rows(text, hasQuotes: true, pieceSize: size)
                XCTAssertEqual(found.rows, ["a", "", "\"c\(ending)d\",e", "last"], "\(size)")
                XCTAssertEqual(found.lines, [1, 2, 3, 5], "\(ending.utf8.count) \(size)")
                XCTAssertEqual(
                    found.offsets, [1 + count, 1 + 2 * count, 7 + 4 * count, 11 + 4 * count])
            }
        }
        XCTAssertEqual(rows(Array("a\rb\r".utf8), hasQuotes: true, pieceSize: 2).rows, ["a", "b"])
        // JSON may have one between its values.
        XCTAssertEqual(rows(Array("a\rb\n".utf8), hasQuotes: false, pieceSize: 2).rows, ["a\rb"])
    }

    func testALongRow_isSkipped_byEachLineEnd() {
        let longest = String(repeating: "x", count: FileRows.maximumLength)
        for ending in ["\r", "\r\n", "\n"] {
            let text = ["a", longest, longest + "x", "b"].joined(separator: ending)
            for size in [1_000, 65_536, 65_537, 65_538, 65_539, 200_000] {
                let found = rows(Array(text.utf8), hasQuotes: true, pieceSize: size)
                XCTAssertEqual(found.rows, ["a", longest, "too long", "b"], "\(size)")
                XCTAssertEqual(found.lines, [1, 2, 3, 4], "\(size)")
            }
        }
    }

    func testALongRow_isSkipped_andTheNextIsRead() {
        let long = String(repeating: "x", count: FileRows.maximumLength + 1)
        for size in [1_000, 65_536, 65_537, 200_000] {
            for text in ["a\n\(long)\nb\n", "a\n\"\(long)\nb\n"] {
                let found = rows(Array(text.utf8), hasQuotes: true, pieceSize: size)
                XCTAssertEqual(found.rows.first, "a", "\(size)")
                XCTAssertEqual(found.rows[1], "too long", "\(size)")
                XCTAssertEqual(found.lines[1], 2, "\(size)")
            }
            let found = rows(Array("a\n\(long)\nb\n".utf8), hasQuotes: true, pieceSize: size)
            XCTAssertEqual(found.rows, ["a", "too long", "b"], "\(size)")
            XCTAssertEqual(found.lines, [1, 2, 3], "\(size)")
        }
        let longest = String(repeating: "x", count: FileRows.maximumLength)
        XCTAssertEqual(
            rows(Array("\(longest)\n".utf8), hasQuotes: false, pieceSize: 9_999).rows, [longest])
    }

    /// A quotation mark that is never closed takes one row of the maximum length with it, no more.
    func testAnOpenQuotationMark_doesNotTakeTheRestOfTheFile() {
        let rest = (0..<20_000).map { "row \($0)\n" }.joined()
        let found = rows(Array("a\n\"b\n\(rest)".utf8), hasQuotes: true, pieceSize: 4_096)
        XCTAssertEqual(found.rows[1], "too long")
        XCTAssertEqual(found.rows.last, "row 19999")
        XCTAssertEqual(found.lines.last, 20_002)
        XCTAssertGreaterThan(found.rows.count, 10_000)
    }

    func testAnyBytes_giveTheSameRowsInPiecesOfEachSize() {
        var run = FuzzRun("rows of a file", inputs: 200)
        while var random = run.next() {
            let text = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                random.pick(Array("ab\n\r\",".utf8))
            }
            for hasQuotes in [true, false] {
                let whole = rows(text, hasQuotes: hasQuotes, pieceSize: 1_000)
                let size = Int.random(in: 1...40, using: &random)
                let parts = rows(text, hasQuotes: hasQuotes, pieceSize: size)
                run.expect(parts == whole, "pieces of \(size) bytes: \(text)")
                let lines = text.split(
                    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                let last = lines.last.map { !$0.isEmpty } ?? false ? lines.count : lines.count - 1
                if !hasQuotes { run.expect(whole.rows.count == last, "\(text)") }
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
