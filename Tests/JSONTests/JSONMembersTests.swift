import GatewayTesting
import XCTest

@testable import JSON
@testable import Platform

/// Tests for the members of an object as bytes and as trees.
final class JSONMembersTests: XCTestCase {
    private let text =
        "\u{feff} { a: /* c */ [1, 'x]', { b: \"}\" }, ] , \"b\\u0062\": {\"c\":[2]} // d\n, d: -.5, } "

    private func text(_ bytes: ArraySlice<UInt8>?) -> String? {
        bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    func testBytes_areThoseOfTheValue_withoutBlanks() throws {
        let members = try JSONMembers(json5: text)
        XCTAssertEqual(text(members.bytes(of: "a")), "[1, 'x]', { b: \"}\" }, ]")
        XCTAssertEqual(text(members.bytes(of: "bb")), #"{"c":[2]}"#)
        XCTAssertEqual(text(members.bytes(of: "d")), "-.5")
        XCTAssertNil(members.bytes(of: "c"))
    }

    func testElements_ofAList() throws {
        let members = try JSONMembers(json5: text)
        XCTAssertEqual(try members.elements(of: "a")?.map(text), ["1", "'x]'", "{ b: \"}\" }"])
        XCTAssertNil(try members.elements(of: "c"))
        XCTAssertEqual(try JSONMembers(json5: "{a:[ ]}").elements(of: "a"), [])
        XCTAssertThrowsError(try members.elements(of: "bb")) {
            XCTAssertEqual("\($0)", "bb: expected a list, found an object")
        }
    }

    func testValue_leavesOutWhatIsTakenAsBytes() throws {
        let members = try JSONMembers(json5: text)
        XCTAssertEqual(try members.value(), try JSONValue(json5: text))
        XCTAssertEqual(
            try members.value(without: ["a"]),
            .object(["bb": .object(["c": .array([.number(2)])]), "d": .number(-0.5)]))
    }

    func testInit_whenNotAnObject_namesTheKind() {
        for (text, kind) in [("[1]", "a list"), (" 'x'", "a string"), ("1", "a number")] {
            XCTAssertThrowsError(try JSONMembers(json5: text)) {
                XCTAssertEqual("\($0)", "expected an object, found \(kind)")
            }
        }
        let large = "{a:'" + String(repeating: "x", count: JSONValue.sizeLimit) + "'}"
        XCTAssertThrowsError(try JSONMembers(json5: large)) {
            XCTAssertEqual("\($0)", "the file is larger than 1 MiB")
        }
    }

    /// Input that the tree parser rejects is rejected with the same message.
    func testInit_isAsStrictAsTheTree() {
        let deep = String(repeating: "[", count: JSON5Parser.depthLimit)
        let wrong = [
            "", "{", "{a:1,a:2}", "{a:{b:1,'b':2}}", "{a:[{b:1,b:2}]}", "{a:01}", "{a:1}}", "{a 1}",
            "{a:tru}", "{a:'\\ud800'}", "{a:[1 2]}", "{a:1 b:2}", "{a:'x\n'}", "{a:/*}",
            "{a:\(deep)1\(deep.replacing("[", with: "]"))}",
        ]
        for text in wrong { assertSame(text) }
    }

    func testInit_ofEveryTruncation_isRefusedLikeTheTree() {
        let end = text.utf8.count - 1
        for length in 0..<end {
            let part = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            XCTAssertThrowsError(try JSONMembers(json5: part), part)
            assertSame(part)
        }
    }

    func testInit_ofRandomText_isReadOrRefusedLikeTheTree() {
        let alphabet = Array("{}[]:,'\"\\/*ux019.eE+-n \n\u{e9}".utf8) + [0xC2, 0xF0, 0xFF]
        var run = FuzzRun("members of JSON5", inputs: 2_000)
        while var random = run.next() {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.pick(alphabet)
            }
            assertSame(String(decoding: bytes, as: UTF8.self))
        }
        XCTAssertEqual(run.finish(), [])
    }

    private func assertSame(_ text: String, line: UInt = #line) {
        let tree = Result { () throws(JSONError) in try JSONValue(json5: text) }
        let members = Result { () throws(JSONError) in try JSONMembers(json5: text).value() }
        if case .success(let value) = tree, value.kind != "an object" { return }
        // NaN differs from itself.
        if text.contains("N") { return }
        XCTAssertEqual(members, tree, text, line: line)
    }
}
