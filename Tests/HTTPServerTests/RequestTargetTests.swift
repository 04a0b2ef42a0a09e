import GatewayTesting
import HTTPServer
import XCTest

final class RequestTargetTests: XCTestCase {
    func testPath_isDecodedBySegment() {
        XCTAssertEqual(RequestTarget("/")?.path, [])
        XCTAssertEqual(RequestTarget("/v1/workout/start")?.path, ["v1", "workout", "start"])
        XCTAssertEqual(RequestTarget("/a%20b/+")?.path, ["a b", "+"])
        XCTAssertEqual(RequestTarget("/caf%C3%A9")?.path, ["café"])
        XCTAssertEqual(RequestTarget("/v1/")?.path, ["v1", ""])
    }

    func testQuery_isDecodedInItsOrder() {
        let target = RequestTarget("/v1/live?person=a+b%26c&type=heartRate&flag&=x&person=d")
        XCTAssertEqual(
            target?.query.map { "\($0.name)=\($0.value)" },
            ["person=a b&c", "type=heartRate", "flag=", "=x", "person=d"])
    }

    /// Characters that combine with the one before them do not hide a delimiter.
    func testTarget_isDividedAtItsDelimiters_beforeAnyCharacter() {
        let target = RequestTarget("/\u{301}a/\u{301}b?\u{301}c=\u{301}d&\u{301}e")
        XCTAssertEqual(target?.path, ["\u{301}a", "\u{301}b"])
        XCTAssertEqual(
            target?.query.map { [$0.name, $0.value] },
            [["\u{301}c", "\u{301}d"], ["\u{301}e", ""]])
    }

    func testTarget_isRefusedWhenItIsNotValid() {
        let wrong = [
            "", "*", "v1", "http://host/", "/%", "/%4", "/%zz", "/%00", "/a%2Fb", "/..",
            "/%2e%2e/x",
            "/.", "/a%2F%CC%81", "/%FF", "/a?b=%0A", "/a?b=%C3",
            "/?" + String(repeating: "a=1&", count: 65),
        ]
        for text in wrong { XCTAssertNil(RequestTarget(text), text) }
    }

    func testTarget_isNeverTrappedByAnyBytes() {
        var run = FuzzRun("targets of requests", inputs: 20_000)
        while var generator = run.next() {
            let count = Int.random(in: 0...80, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = RequestTarget("/" + String(decoding: bytes, as: UTF8.self))
        }
        XCTAssertEqual(run.finish(), [])
    }
}
