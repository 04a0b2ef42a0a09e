import XCTest

@testable import Lines

final class LineSplitterTests: XCTestCase {
    /// What comes of pieces of text; a line that is too long is `nil`.
    private func split(
        _ pieces: [String], by terminator: LineTerminator = .newline, skipping: Bool = false
    ) -> [String?] {
        var splitter = LineSplitter(terminator: terminator)
        splitter.reset(skippingFirstLine: skipping)
        var lines: [String?] = []
        for piece in pieces {
            splitter.split(Array(piece.utf8)) { found in
                switch found {
                case .line(let line): lines.append(String(decoding: line, as: UTF8.self))
                case .tooLong: lines.append(nil)
                }
            }
        }
        return lines
    }

    func testSplit_takesEveryTerminator() {
        XCTAssertEqual(split(["a\nb\r\nc\rd\n\re\r\r"]), ["a", "b", "c", "d", "e"])
    }

    func testSplit_leavesAnUnfinishedLine() {
        XCTAssertEqual(split(["a\nb"]), ["a"])
        XCTAssertEqual(split(["a\nb", "c", "\n"]), ["a", "bc"])
    }

    func testSplit_bySemicolon_keepsLineEnds() {
        XCTAssertEqual(split(["1,2;3,4;\r\n5;6"], by: .semicolon), ["1,2", "3,4", "\r\n5"])
    }

    func testSplit_atEveryPosition_isTheSame() {
        let text = "Steps: 1\r\nSteps: 22\rSteps: 333\n\nSteps: 4\r\n"
        let whole = split([text])
        XCTAssertEqual(whole, ["Steps: 1", "Steps: 22", "Steps: 333", "Steps: 4"])
        for first in 0...text.utf8.count {
            for second in first...text.utf8.count {
                let bytes = Array(text.utf8)
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                XCTAssertEqual(
                    split(pieces.map { String(decoding: $0, as: UTF8.self) }), whole,
                    "\(first), \(second)")
            }
        }
    }

    func testSplit_atTheLimit_isALine() {
        let line = String(repeating: "x", count: LineSplitter.lengthLimit)
        XCTAssertEqual(split([line + "\n"]), [line])
        XCTAssertEqual(split([line, "\n"]), [line])
        XCTAssertEqual(split(line.map(String.init) + ["\n"]), [line])
    }

    func testSplit_beyondTheLimit_isOneDropUpToTheTerminator() {
        let line = String(repeating: "x", count: LineSplitter.lengthLimit + 1)
        XCTAssertEqual(split([line + "\nb\n"]), [nil, "b"])
        XCTAssertEqual(split([line, "\nb\n"]), [nil, "b"])
        XCTAssertEqual(split([line, line, line, "\nb\n"]), [nil, "b"])
        XCTAssertEqual(split(line.map(String.init) + ["yyy", "\nb\n"]), [nil, "b"])
    }

    func testReset_forgetsThePartialLine() {
        var splitter = LineSplitter(terminator: .newline)
        var lines: [ArraySlice<UInt8>] = []
        let body: (LineSplitter.Piece) -> Void = {
            if case .line(let line) = $0 { lines.append(line) }
        }
        splitter.split(Array("Ste".utf8), body)
        splitter.reset(skippingFirstLine: false)
        splitter.split(Array("ps: 7\n".utf8), body)
        XCTAssertEqual(lines, [Array("ps: 7".utf8)[...]])
    }

    func testReset_whenSkippingTheFirstLine_startsBehindIt() {
        XCTAssertEqual(split(["12;", "34;56;"], by: .semicolon, skipping: true), ["34", "56"])
        XCTAssertEqual(split(["1", "2;34;"], by: .semicolon, skipping: true), ["34"])
    }
}
