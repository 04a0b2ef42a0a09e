import GatewayTesting
import HealthModel
import XCTest

@testable import Exec
@testable import Platform

final class SinkAnswerTests: XCTestCase {
    private static let id = "0198f3c2-0000-8000-8000-000000000001"

    private func answer(_ line: String) throws -> SinkAnswer {
        try SinkAnswer(Array(line.utf8)[...])
    }

    func testAnswers() throws {
        let id = try XCTUnwrap(RecordID(uuidString: Self.id))
        XCTAssertEqual(try answer(#"{"ack":7}"#), .acknowledged(7))
        XCTAssertEqual(try answer(#"{"retry":7,"after":2.5}"#), .retry(7, after: 2.5))
        XCTAssertEqual(try answer(#"{ "retry" : 7 , "x" : [1] }"#), .retry(7, after: nil))
        XCTAssertEqual(
            try answer(#"{"reject":7,"ids":["\#(Self.id)"],"reason":"too old"}"#),
            .rejected(7, [id], reason: "too old"))
        XCTAssertEqual(try answer(#"{"reject":7,"ids":[]}"#), .rejected(7, [], reason: "no reason"))
    }

    func testErrors_nameTheKeyAndNoValue() {
        for (line, problem) in [
            ("{}", "the key ack is missing"), (#"{"ack":"secret"}"#, "ack must be a number"),
            (#"{"ack":-1}"#, "ack must be a whole number"),
            (#"{"ack":1,"retry":1}"#, "duplicate key retry"),
            (#"{"retry":1,"after":-1}"#, "after must be a number above 0"),
            (#"{"reject":1}"#, "the key ids is missing"),
            (#"{"reject":1,"ids":["secret"]}"#, "id must be a UUID"),
            (#"{"reject":1,"ids":7}"#, "ids must be a list"),
            ("secret", "the line is not valid JSON"),
        ] {
            XCTAssertThrowsError(try answer(line), line) {
                XCTAssertTrue("\($0)".hasPrefix(problem), "\(line): \($0)")
                XCTAssertFalse("\($0)".contains("secret"))
            }
        }
    }

    func testDecode_ofEveryTruncation_throws() {
        let line = Array(#"{"reject":7,"ids":["\#(Self.id)"],"reason":"too old"}"#.utf8)
        for count in 0..<line.count { XCTAssertThrowsError(try SinkAnswer(line[..<count])) }
    }
}

/// Any line of a program that is a sink.
final class SinkAnswerFuzzTests: XCTestCase {
    private static let lines = [
        #"{"ack":7}"#, #"{"retry":7,"after":2.5}"#,
        #"{"reject":7,"ids":["0198f3c2-0000-8000-8000-000000000001"],"reason":"too old"}"#,
    ].map { Array($0.utf8) }
    private static let words = [
        "{", "}", "[", "]", ":", ",", "\"", "\"ack\":", "\"retry\":1", "\"ids\":[]", "\\ud800",
        "1e999",
        "18446744073709551616", "-0", "0.0000001", "null", "é", "\"after\":1e308",
    ].map { Array($0.utf8) }

    func testAnyLine_isReadOrRefused() {
        var run = FuzzRun("answers of a program", inputs: 5_000)
        while var random = run.next() {
            var line = random.once(in: 10) ? random.bytes(upTo: 100) : random.pick(Self.lines)
            for _ in 0..<random.pick([0, 1, 4]) { random.mutate(&line, words: Self.words) }
            switch try? SinkAnswer(line[...]) {
            case .retry(_, let after?)?: run.expect(after > 0 && after.isFinite, "\(after) seconds")
            case .rejected(_, _, let reason)?:
                run.expect(reason.utf8.count <= 202, "\(reason.utf8.count) bytes of a reason")
            case .acknowledged?, .retry?, nil: break
            }
        }
        XCTAssertEqual(run.finish(), [])
    }
}
