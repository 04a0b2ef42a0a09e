import XCTest

@testable import XML

/// XML that would cost much: limits, entities and files that it refers to.
final class XMLLimitsTests: XCTestCase {
    private func error(_ xml: String) -> XMLError? {
        do {
            _ = try XMLReader.tokens(xml)
            return nil
        } catch {
            return error as? XMLError
        }
    }

    /// The limit that XML exceeds.
    private func limit(_ xml: String) -> String? {
        guard case .unsupported(let what, line: _) = error(xml) else { return nil }
        return what
    }

    private func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    func testDepth_hasALimit() {
        let maximumDepth = XMLTokens.maximumDepth
        XCTAssertNil(error(repeated("<a>", maximumDepth) + repeated("</a>", maximumDepth)))
        XCTAssertNil(
            error(repeated("<a>", maximumDepth - 1) + "<b/>" + repeated("</a>", maximumDepth - 1)))
        let tooDeep = "XML tags in more than 64 levels"
        XCTAssertEqual(limit(repeated("<a>", maximumDepth + 1)), tooDeep)
        XCTAssertEqual(limit(repeated("<a>", maximumDepth) + "<b/>"), tooDeep)
    }

    func testAttributes_haveALimit() {
        func xml(_ count: Int) -> String {
            "<a\((0..<count).map { " b\($0)=''" }.joined())/>"
        }
        XCTAssertNil(error(xml(XMLTokens.maximumAttributeCount)))
        for count in [XMLTokens.maximumAttributeCount + 1, 10_000] {
            XCTAssertEqual(limit(xml(count)), "XML tags with more than 64 attributes")
        }
    }

    func testNames_haveALimit() {
        let longest = repeated("n", XMLTokens.maximumNameLength)
        let tooLong = "XML names of more than 256 bytes"
        XCTAssertNil(error("<\(longest) \(longest)='1'/>"))
        XCTAssertEqual(limit("<\(longest)n/>"), tooLong)
        XCTAssertEqual(limit("<a \(longest)n='1'/>"), tooLong)
        XCTAssertEqual(limit("<a p:\(longest)='1'/>"), tooLong)
    }

    func testDifferentNames_haveALimit() {
        func xml(_ count: Int) -> String {
            "<a>\((1..<count).map { $0 % 2 == 0 ? "<a\($0)/>" : "<a p:b\($0)=''/>" }.joined())</a>"
        }
        XCTAssertNil(error(xml(XMLTokens.maximumNameCount)))
        for count in [XMLTokens.maximumNameCount + 1, 100_000] {
            XCTAssertEqual(limit(xml(count)), "files with more than 1024 different XML names")
        }
    }

    func testText_hasALimit() {
        let longest = repeated("x", XMLTokens.maximumTextLength)
        let tooLong = "XML texts of more than 65536 bytes"
        XCTAssertNil(error("<a b='\(longest)'>\(longest)<c/>\(longest)</a>"))
        for xml in [
            "<a>\(longest)x", "<a>\(longest)<!-- -->x", "<a>\(longest)&#51;",
            "<a b='\(longest)x'/>",
            "<a><![CDATA[\(longest)x", "<a>\(repeated("x\n", 40_000))",
        ] {
            XCTAssertEqual(limit(xml), tooLong, "\(xml.suffix(40))")
        }
    }

    func testLimit_namesTheLine() throws {
        let text = repeated("x", XMLTokens.maximumTextLength + 1)
        let error = try XCTUnwrap(error("<a>\n\n<b>\(text)</b></a>"))
        XCTAssertEqual(
            "\(error)",
            "has XML texts of more than 65536 bytes, which are not supported, in line 3")
    }

    /// expat reads an incomplete tag again with each piece, so that a long one would take hours.
    func testMarkup_hasALimit() {
        let long = repeated("x", 3 << 20)
        let tooLong = "XML tags and comments of more than 1 MiB"
        for xml in [
            "<!--\(long)--><a/>", "<a/><!--\(long)-->", "<a><!--\(long)--></a>", "<a b='\(long)'/>",
            "<\(long)/>", "<a></\(long)>", "<?xml version='\(long)'?><a/>", "<a><?p \(long)?></a>",
            "<!DOCTYPE a SYSTEM '\(long)'><a/>", "<a>\(long.prefix(60_000))<b \(long)",
        ] {
            XCTAssertEqual(limit(xml), tooLong, "\(xml.prefix(40))")
        }
        let allowed = repeated("x", (1 << 20) - (64 << 10))
        XCTAssertNil(error("<!--\(allowed)--><a><!--\(allowed)--></a>"))
    }

    func testDoctype_withoutDeclarations_isSkipped() throws {
        for doctype in [
            "<!DOCTYPE a>", "<!DOCTYPE a SYSTEM \"a.dtd\">",
            "<!DOCTYPE a PUBLIC \"-//A//B\" \"http://example.org/a.dtd\">",
        ] {
            XCTAssertEqual(
                try XMLReader.tokens("<?xml version=\"1.0\"?>\(doctype)<a>x</a>"),
                [.start(name: "a", attributes: [:]), .text("x"), .end(name: "a")], doctype)
        }
    }

    func testDoctype_withDeclarations_isRefusedBeforeTheyAreRead() {
        let bomb =
            "<!ENTITY a0 \"lol\">"
            + (1...30).map { "<!ENTITY a\($0) \"\(repeated("&a\($0 - 1);", 10))\">" }.joined()
        for declarations in [
            bomb, "<!ENTITY e \"x\">", "<!ENTITY % e \"x\"> %e;",
            "<!ENTITY e SYSTEM \"file:///etc/passwd\">", "<!ATTLIST a b CDATA \"x\">", "%e;", "",
        ] {
            for root in ["<a>&a30;&e;</a>", "<a b='&a30;&e;'/>", "<a/>"] {
                for system in ["", "SYSTEM 'a.dtd' "] {
                    XCTAssertEqual(
                        error("<!DOCTYPE a \(system)[\(declarations)]>\(root)"), .declarations,
                        declarations)
                }
            }
        }
    }

    func testFile_thatXMLRefersTo_isNotRead() throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).dtd"
        try "<!ENTITY e \"secret\"><!ATTLIST a c CDATA \"secret\">"
            .write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        for reference in ["SYSTEM \"\(path)\"", "PUBLIC \"x\" \"file://\(path)\""] {
            let doctype = "<!DOCTYPE a \(reference)>"
            XCTAssertEqual(error("\(doctype)\n<a>&e;</a>"), .corrupt("line 2: undefined entity"))
            XCTAssertEqual(
                try XMLReader.tokens("\(doctype)<a b='1&e;2'/>"),
                [.start(name: "a", attributes: ["b": "12"]), .end(name: "a")])
        }
    }
}
