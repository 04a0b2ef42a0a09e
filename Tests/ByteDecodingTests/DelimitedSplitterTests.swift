import ByteDecoding
import XCTest

final class DelimitedSplitterTests: XCTestCase {
    /// The lines in pieces of text; a line that is too long is `nil`.
    private func split(
        _ pieces: [String], with splitter: DelimitedSplitter = .lines(lengthLimit: 256),
        skipping: Bool = false
    ) -> [String?] {
        var splitter = splitter
        splitter.reset(skippingFirst: skipping)
        var lines: [String?] = []
        for piece in pieces {
            splitter.split(Array(piece.utf8)) { found in
                switch found {
                case .bytes(let line): lines.append(String(decoding: line, as: UTF8.self))
                case .tooLong: lines.append(nil)
                }
            }
        }
        return lines
    }

    func testSplit_atEveryLineEnd() {
        XCTAssertEqual(split(["a\nb\r\nc\rd\n\re\r\r"]), ["a", "b", "c", "d", "e"])
        XCTAssertEqual(split(["a\nb"]), ["a"])
        XCTAssertEqual(split(["a\nb", "c", "\n"]), ["a", "bc"])
    }

    func testSplit_bySemicolon_keepsLineEnds() {
        let splitter = DelimitedSplitter(delimiter: UInt8(ascii: ";"))
        XCTAssertEqual(split(["1,2;3,4;\r\n5;6"], with: splitter), ["1,2", "3,4", "\r\n5"])
    }

    func testSplit_atEveryPosition_isTheSame() {
        let text = "Steps: 1\r\nSteps: 22\rSteps: 333\n\nSteps: 4\r\n"
        let whole = split([text])
        XCTAssertEqual(whole, ["Steps: 1", "Steps: 22", "Steps: 333", "Steps: 4"])
        let bytes = Array(text.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                XCTAssertEqual(split(pieces.map { String(decoding: $0, as: UTF8.self) }), whole)
            }
        }
    }

    func testSplit_beyondTheLimit_isReportedOnceUpToTheDelimiter() {
        let line = String(repeating: "x", count: 256)
        XCTAssertEqual(split([line + "\n"]), [line])
        XCTAssertEqual(split([line, "\n"]), [line])
        XCTAssertEqual(split([line + "x\nok\n"]), [nil, "ok"])
        XCTAssertEqual(split([line, "x", line, "\nok\n"]), [nil, "ok"])
    }

    func testReset_skippingFirst_ignoresTheRestOfALine() {
        XCTAssertEqual(split(["rest\na\n"], skipping: true), ["a"])
        XCTAssertEqual(split(["re", "st", "\na\n"], skipping: true), ["a"])
    }
}
