import XCTest

@testable import XML

/// The tokens that libexpat reports.
final class XMLReaderTests: XCTestCase {
    private func tokens(_ xml: String) throws -> [XMLToken] { try XMLReader.tokens(xml) }

    func testTokens_areTagsAndTheirText() throws {
        XCTAssertEqual(
            try tokens("<?xml version='1.0'?><a b='1' c=\"2\">\n <d/> x </a>\n<!-- end -->"),
            [
                .start(name: "a", attributes: ["b": "1", "c": "2"]),
                .start(name: "d", attributes: [:]), .end(name: "d"), .text(" x "), .end(name: "a"),
            ])
    }

    func testText_ofSeveralParts_isOneToken() throws {
        for xml in [
            "<a>one\ntwo &lt;&#51;&#x34;</a>", "<a>one<!-- -->\ntwo <![CDATA[<3]]>4</a>",
            "<a>one\r\ntwo <?pi?>&lt;34</a>",
        ] {
            XCTAssertEqual(
                try tokens(xml),
                [.start(name: "a", attributes: [:]), .text("one\ntwo <34"), .end(name: "a")], xml)
        }
    }

    func testText_acrossPiecesOfTheFile_isOneToken() throws {
        let space = String(repeating: " ", count: 65_530)
        for shift in 0..<20 {
            let before = "<a>\(space.dropFirst(shift))<b c='ü&amp;'>"
            XCTAssertEqual(
                try tokens("\(before)größe €&#x1F3C3;</b></a>"),
                [
                    .start(name: "a", attributes: [:]), .start(name: "b", attributes: ["c": "ü&"]),
                    .text("größe €🏃"), .end(name: "b"), .end(name: "a"),
                ], "\(shift)")
        }
    }

    func testNames_areWithoutPrefix() throws {
        XCTAssertEqual(
            try tokens("<n:a type='1' xsi:type='2'><n:b m:c='3'/><b/></n:a>"),
            [
                .start(name: "a", attributes: ["type": "1"]),
                .start(name: "b", attributes: ["c": "3"]), .end(name: "b"),
                .start(name: "b", attributes: [:]), .end(name: "b"), .end(name: "a"),
            ])
    }

    func testWhiteSpace_beforeTheDeclaration_isSkippedAndCounted() throws {
        for space in ["\n", "\r\n", " ", "\t\n\n  "] {
            let xml = "\(space)<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a></a>"
            XCTAssertEqual(
                try tokens(xml), [.start(name: "a", attributes: [:]), .end(name: "a")], space)
        }
        XCTAssertThrowsError(try tokens("\n\r\n<?xml version=\"1.0\"?>\n<a></b>")) {
            XCTAssertEqual($0 as? XMLError, .corrupt("line 4: mismatched tag"))
        }
        for text in ["", " \n", "x<a/>", "\u{B}<a/>"] {
            XCTAssertThrowsError(try tokens(text), text) {
                XCTAssertEqual($0 as? XMLError, .notXML)
            }
        }
    }

    func testErrors_nameTheLineAndTheReason() {
        let corrupt = [
            "<a>\n<b>\n</a>": "line 3: mismatched tag",
            "<a>\n<b>": "line 2: unexpected end of file",
            "<a>\n<b": "line 2: unclosed token",
            "<a>\u{1}</a>": "line 1: not well-formed (invalid token)",
            "<a b='1' b='2'/>": "line 1: duplicate attribute",
            "<a/>\n<b/>": "line 2: junk after document element",
            "<a>&uuml;</a>": "line 1: undefined entity",
        ]
        for (xml, reason) in corrupt {
            XCTAssertThrowsError(try tokens(xml), xml) {
                XCTAssertEqual($0 as? XMLError, .corrupt(reason), xml)
            }
        }
    }

    func testTokens_beforeAnError_areRead() throws {
        let reader = try XMLReader(Array("<a><b/></c>".utf8))
        for token in ["a", "b"] {
            XCTAssertEqual(try reader.next(), .start(name: token, attributes: [:]))
        }
        XCTAssertEqual(try reader.next(), .end(name: "b"))
        XCTAssertThrowsError(try reader.next())
        XCTAssertThrowsError(try reader.next(), "again")
    }
}

extension XMLReader {
    static func tokens(_ xml: String) throws -> [XMLToken] { try tokens(Array(xml.utf8)) }

    static func tokens(_ bytes: [UInt8]) throws -> [XMLToken] {
        let reader = try XMLReader(bytes)
        var tokens: [XMLToken] = []
        while let token = try reader.next() { tokens.append(token) }
        return tokens
    }
}
