import GatewayTesting
import XCTest

@testable import JSON
@testable import Platform

final class JSON5ParserTests: XCTestCase {
    private func parse(_ text: String) throws -> JSONValue {
        try JSONValue(json5: text)
    }

    private func assertRefused(_ text: String, _ message: String, line: UInt = #line) {
        XCTAssertThrowsError(try parse(text), line: line) { error in
            XCTAssertEqual("\(error)", message, line: line)
        }
    }

    /// The example on the front page of json5.org.
    func testParse_theExampleOfTheStandard() throws {
        let text = """
            {
              // comments
              unquoted: 'and you can quote me on that',
              singleQuotes: 'I can use "double quotes" here',
              lineBreaks: "Look, Mom! \\
            No \\\\n's!",
              hexadecimal: 0xdecaf,
              leadingDecimalPoint: .8675309, andTrailing: 8675309.,
              positiveSign: +1,
              trailingComma: 'in objects', andIn: ['arrays',],
              "backwardsCompatible": "with JSON",
            }
            """
        XCTAssertEqual(
            try parse(text),
            .object([
                "unquoted": .string("and you can quote me on that"),
                "singleQuotes": .string("I can use \"double quotes\" here"),
                "lineBreaks": .string("Look, Mom! No \\n's!"),
                "hexadecimal": .number(912_559), "leadingDecimalPoint": .number(0.8675309),
                "andTrailing": .number(8_675_309), "positiveSign": .number(1),
                "trailingComma": .string("in objects"), "andIn": .array([.string("arrays")]),
                "backwardsCompatible": .string("with JSON"),
            ]))
    }

    func testParse_values() throws {
        XCTAssertEqual(try parse("\u{feff} null // end"), .null)
        XCTAssertEqual(
            try parse("/* a */[true,\u{a0}false]"), .array([.boolean(true), .boolean(false)]))
        for (text, number) in [("-1.5e3", -1500.0), ("1E2", 100), ("-0x10", -16), ("0", 0)] {
            XCTAssertEqual(try parse(text), .number(number), text)
        }
        XCTAssertEqual(
            try parse("\u{3000}{ a\u{a0}: true\u{2028}, b\u{feff}: 1 }"),
            .object(["a": .boolean(true), "b": .number(1)]))
        XCTAssertEqual(try parse("-Infinity"), .number(-.infinity))
        XCTAssertEqual(try parse("{ größe$_1: {} }"), .object(["größe$_1": .object([:])]))
    }

    func testParse_escapes() throws {
        XCTAssertEqual(
            try parse(#"'\b\f\n\r\t\v\0\'\"\\\/\x41\u00e9\ud83d\ude00\q\ü'"#),
            .string("\u{8}\u{c}\n\r\t\u{b}\0'\"\\/Aé😀qü"))
    }

    func testParse_reportsThePositionOfAnError() {
        assertRefused("{\n  a: 1\n  b: 2 }", "line 3, column 3: expected `,` or `}`")
        assertRefused(
            "{ a: { b: tru } }",
            "a.b: line 1, column 11: expected a value; put strings in quotation marks")
        assertRefused("{ a: ", "a: line 1, column 6: expected a value")
        assertRefused("{ a 1 }", "a: line 1, column 5: expected `:` after the key")
        assertRefused("{ 1a: 1 }", "line 1, column 3: expected a key or `}`")
        assertRefused("{ a: 'x\n' }", "a: line 1, column 6: unterminated string")
        assertRefused("[1 2]", "line 1, column 4: expected `,` or `]`")
        assertRefused("{} {}", "line 1, column 4: expected the end of the file")
        assertRefused("/* x", "line 1, column 1: unterminated comment")
        assertRefused("'\\ud800'", "line 1, column 2: invalid escape")
        assertRefused("'\\u12'", "line 1, column 4: expected 4 hexadecimal digits")
        assertRefused(
            "{ a: [1, { b: zz }] }",
            "a[1].b: line 1, column 15: expected a value; put strings in quotation marks")
        assertRefused("// c\r{ , }\r\n", "line 2, column 3: expected a key or `}`")
        for word in ["--1", "+-1", "0x+1", "0x", "01", "1e", ".", "-", "e5"] {
            assertRefused(
                word, "line 1, column 1: expected a value; put strings in quotation marks")
        }
        assertRefused("'\\1'", "line 1, column 2: invalid escape")
        assertRefused(
            "1.2.3", "line 1, column 1: expected a value; put strings in quotation marks")
    }

    func testParse_aDuplicateKey_inAnySpelling() {
        assertRefused(
            "{ a: { b: 1, 'b': 2 } }", "a.b: line 1, column 14: duplicate key")
        assertRefused("{ a: 1, \"\\u0061\": 2 }", "a: line 1, column 9: duplicate key")
    }

    func testParse_depthIsLimited() {
        let deep = String(repeating: "[", count: 100_000)
        XCTAssertThrowsError(try parse(deep)) { error in
            XCTAssertTrue("\(error)".hasSuffix("nested deeper than 64 levels"), "\(error)")
        }
    }

    func testParse_everyTruncationIsRefusedWithoutATrap() throws {
        let text =
            #"{ a: [1, -2.5, "x\u0041", 'y\'', null, true, { b: 0x1F, }, ], /* c */ d: {} } "#
        XCTAssertNoThrow(try parse(text))
        for length in 0..<(text.utf8.count - 1) {
            let prefix = String(decoding: text.utf8.prefix(length), as: UTF8.self)
            XCTAssertThrowsError(try parse(prefix), prefix)
        }
    }

    func testParse_randomText_neverTraps() {
        let alphabet = Array("{}[]:,'\"\\/*ux019.eE+-n \n\u{e9}".utf8) + [0xC2, 0xF0, 0xFF]
        var run = FuzzRun("JSON5 of any characters", inputs: 2_000)
        while var random = run.next() {
            let bytes = (0..<60).map { _ in random.pick(alphabet) }
            _ = try? parse(String(decoding: bytes, as: UTF8.self))
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testParse_ofDamagedText_isRefusedOrReadsWhatReadsBack() {
        let text =
            #"{ a: [1, -2.5, "x\u0041", 'y\'', null, true, { b: 0x1F, }, ], /* c */ d: {} } // e"#
        let words = [
            "{", "}", "[", "]", ",", ":", "'", "\"", "\\", "\\u", "\\ud83d", "\\x4", "//", "/*",
            "*/",
            "\u{2028}", "\u{FEFF}", "1e999", "-Infinity", "NaN", "0x", "9223372036854775808", ".",
            "+",
            "a:1,",
        ].map { Array($0.utf8) }
        var run = FuzzRun("damaged JSON5", inputs: 2_000)
        while var random = run.next() {
            var bytes = Array(text.utf8)
            for _ in 0...random.pick([0, 2, 8]) { random.mutate(&bytes, words: words) }
            guard let value = try? parse(String(decoding: bytes, as: UTF8.self)) else { continue }
            let again = try? parse(value.json)
            // A number that is not finite is written as null.
            run.expect(again?.json == value.json, "reads \(value.json)")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
