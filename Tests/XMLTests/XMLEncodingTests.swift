import GatewayTesting
import XCTest

@testable import XML

final class XMLEncodingTests: XCTestCase {
    private func declaration(_ encoding: String) -> String {
        "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>"
    }

    private func text(_ bytes: [UInt8]) throws -> String? {
        for case .text(let text) in try XMLReader.tokens(bytes) { return text }
        return nil
    }

    func testEncodings_haveTheSameText() throws {
        for encoding in XMLEncoder.allCases {
            for space in ["", "\r\n "] {
                for isMarked in [true, false] {
                    let xml = space + declaration(encoding.name) + "\n<é ü='ÿ'>Uhr für Läufer</é>"
                    XCTAssertEqual(
                        try XMLReader.tokens((isMarked ? encoding.mark : []) + encoding.bytes(xml)),
                        [
                            .start(name: "é", attributes: ["ü": "ÿ"]), .text("Uhr für Läufer"),
                            .end(name: "é"),
                        ], "\(encoding) \(isMarked) \(space.count)")
                }
            }
        }
    }

    func testUTF16_hasCharactersOfTwoUnits() throws {
        for encoding in [XMLEncoder.utf16LittleEndian, .utf16BigEndian] {
            XCTAssertEqual(try text(encoding.mark + encoding.bytes("<a>🏃 €</a>")), "🏃 €")
        }
    }

    func testUTF16_withHalfACharacter_isRefused() {
        for encoding in [XMLEncoder.utf16LittleEndian, .utf16BigEndian] {
            for half in [UInt8(0xD8), 0xDC] {
                for xml in ["<a b='🏃'/>", "<a>🏃</a>", "<🏃/>"] {
                    var bytes = encoding.mark + encoding.bytes(xml)
                    for index in bytes.indices.reversed() where bytes[index] & 0xFC == half {
                        let unit = index - index % 2
                        bytes.removeSubrange(unit..<unit + 2)
                    }
                    XCTAssertThrowsError(try XMLReader.tokens(bytes), xml)
                }
            }
        }
    }

    func testWindows1252_hasItsOwnCharacters() throws {
        for name in ["windows-1252", "Windows-1252", "CP1252"] {
            let bytes =
                Array("\(declaration(name))<a>".utf8) + [0x80, 0x9F, 0xFC, 0x41]
                + Array("</a>".utf8)
            XCTAssertEqual(try text(bytes), "€ŸüA", name)
        }
    }

    func testASCII_withOtherBytes_isRefused() throws {
        let xml = "\(declaration("US-ASCII"))<a>u</a>"
        XCTAssertEqual(try text(Array(xml.utf8)), "u")
        XCTAssertThrowsError(try text(Array(xml.replacing("u</a>", with: "ü</a>").utf8)))
    }

    func testInvalidUTF8_isRefused() {
        let invalid: [[UInt8]] = [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ]
        for bytes in invalid {
            let file = Array("<a>".utf8) + bytes + Array("</a>".utf8)
            XCTAssertThrowsError(try XMLReader.tokens(file), "\(bytes)")
        }
    }

    func testOtherEncoding_isNamed() {
        XCTAssertThrowsError(try XMLReader.tokens("\(declaration("Shift_JIS"))<a/>")) {
            XCTAssertEqual($0 as? XMLError, .encoding("Shift_JIS"))
        }
        let long = String(repeating: "x", count: 1_000)
        XCTAssertThrowsError(try XMLReader.tokens("\(declaration(long))<a/>")) {
            XCTAssertEqual($0 as? XMLError, .encoding(String(long.prefix(40))))
        }
    }

    /// Programs that write into a string of UTF-16 first, and editors that convert, leave such files.
    func testDeclaration_thatCannotBeRight_isIgnored() throws {
        let pairs: [(XMLEncoder, String)] = [
            (.utf8, "utf-16"), (.utf16LittleEndian, "utf-8"), (.utf16BigEndian, "utf-8"),
            (.utf16LittleEndian, "utf-16BE"), (.utf16BigEndian, "ISO-8859-1"),
        ]
        for (encoding, name) in pairs {
            for mark in [encoding.mark, []] {
                let xml = "\n\(declaration(name))\n<a>ü</a>"
                XCTAssertEqual(try text(mark + encoding.bytes(xml)), "ü", "\(encoding) \(name)")
            }
        }
    }
}
