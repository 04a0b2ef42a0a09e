import CSV
import XCTest

final class CSVRowTests: XCTestCase {
    private let texts = [
        "", "a", "a b", " leading", "trailing ", "\ttab", "a,b", "a;b", "say \"no\"", "\"", "\"\"",
        ",", "two\nlines", "two\r\nlines", "\r", "é, \"ü\"", "\u{1}", "=1+1",
        "\u{301}", "a\"\u{301}", ",\u{301}",
    ]

    private func bytes(_ row: String) -> [UInt8] {
        XCTAssertTrue(row.hasSuffix("\r\n"))
        return Array(row.utf8.dropLast(2))
    }

    func testARow_isReadBackEqual() {
        for first in texts {
            for second in texts {
                let fields = ["x", first, second, first]
                XCTAssertEqual(CSVRow.split(bytes(CSVRow.line(of: fields))), fields)
            }
        }
    }

    func testFields_haveQuotationMarks_onlyWhereTheyNeedThem() {
        XCTAssertEqual(CSVRow.line(of: ["a b", "c;d", "é"]), "a b,c;d,é\r\n")
        XCTAssertEqual(
            CSVRow.line(of: ["a,b", "\"", "1\n2", "\t"]), "\"a,b\",\"\"\"\",\"1\n2\",\"\t\"\r\n")
    }

    func testSeparators() {
        for (separator, row) in zip(
            CSVRow.Separator.allCases, ["a,\"b,;\t\",", "a;\"b,;\t\";", "a\t\"b,;\t\"\t"])
        {
            XCTAssertEqual(CSVRow.split(Array(row.utf8), at: separator), ["a", "b,;\t", ""])
        }
        XCTAssertEqual(CSVRow.split(Array("a,b;c".utf8), at: .semicolon), ["a,b", "c"])
    }

    func testWrongQuotationMarks_andOtherBytes_areRefused() {
        for row in ["a\"b", "\"a", "\"a\"b", "a,\"", "\"a\"\"", "a,\"b\" ,c"] {
            XCTAssertNil(CSVRow.split(Array(row.utf8)), row)
        }
        XCTAssertNil(CSVRow.split([0xFF]))
        XCTAssertNil(CSVRow.split([0x22, 0xFF, 0x22]))
    }
}
