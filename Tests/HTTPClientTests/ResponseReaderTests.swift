import XCTest

@testable import HTTPClient

final class ResponseReaderTests: XCTestCase {
    private func read(_ lines: [String], into reader: inout ResponseReader) -> [Bool] {
        lines.map { line in Array(line.utf8).withUnsafeBytes { reader.receiveHeader($0) } }
    }

    func testHeaders_areThoseOfTheLastAnswer() {
        var reader = ResponseReader(bodyLimit: 0)

        _ = read(
            [
                "HTTP/1.1 100 Continue\r\n", "X-A: 1\r\n", "\r\n", "HTTP/1.1 200 OK\r\n",
                "X-B:\t 2 \r\n", "X-Empty:\r\n", "X-C: a:b\n", " folded: no\r\n", ": none\r\n",
                "no colon\r\n",
                "X D: blank\r\n", "\r\n",
            ], into: &reader)

        XCTAssertEqual(reader.headers.map(\.name), ["X-B", "X-Empty", "X-C"])
        XCTAssertEqual(reader.headers.map(\.value), ["2", "", "a:b"])
        XCTAssertTrue(reader.hasHeaders)
        XCTAssertNil(reader.stop)
    }

    func testHeaders_withoutTheirEnd_areNotThere() {
        var reader = ResponseReader(bodyLimit: 0)

        _ = read(
            ["HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "X: 1\r\n"], into: &reader)

        XCTAssertFalse(reader.hasHeaders)
    }

    func testTrailers_areNotHeaders() {
        var reader = ResponseReader(bodyLimit: 3)

        _ = read(["HTTP/1.1 200 OK\r\n", "X-A: 1\r\n", "\r\n"], into: &reader)
        XCTAssertTrue([UInt8]([1]).withUnsafeBytes { reader.receiveBody($0) })
        XCTAssertEqual(read(["X-B: 1\r\n", "\r\n"], into: &reader), [true, true])

        XCTAssertEqual(reader.headers.map(\.name), ["X-A"])
    }

    func testHeaders_ofAllResponsesTogether_areBounded() {
        var reader = ResponseReader(bodyLimit: 0)
        let answer = ["HTTP/1.1 100 Continue\r\n", "X: \(String(repeating: "y", count: 1000))\r\n"]

        var taken = 0
        while read(answer, into: &reader).allSatisfy({ $0 }) { taken += 1 }

        XCTAssertEqual(taken, 65_536 / answer.joined().utf8.count)
        XCTAssertEqual(reader.stop, .headersTooLarge)
    }

    func testBody_isCutAtItsLimitHoweverItComes() {
        for size in 1...7 {
            var reader = ResponseReader(bodyLimit: 5)
            let piece = [UInt8](repeating: 9, count: size)

            var pieces = 0
            while piece.withUnsafeBytes({ reader.receiveBody($0) }) { pieces += 1 }

            XCTAssertEqual(pieces, 5 / size)
            XCTAssertEqual(reader.body, [9, 9, 9, 9, 9])
            XCTAssertEqual(reader.stop, .bodyTooLarge)
        }
    }
}
