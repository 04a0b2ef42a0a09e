import XCTest

@testable import ByteDecoding

final class Base64Tests: XCTestCase {
    /// RFC 4648, section 10.
    private static let examples = [
        "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==",
        "fooba": "Zm9vYmE=", "foobar": "Zm9vYmFy", "\u{FF}\u{FE}\u{3E}": "w7/Dvj4=",
    ]

    func testPublishedExamples_inBothDirections() {
        for (text, base64) in Self.examples {
            XCTAssertEqual(Base64.text(of: Array(text.utf8)), base64)
            XCTAssertEqual(Base64.bytes(of: base64), Array(text.utf8), base64)
        }
    }

    func testAllBytes_areTheSameAfterwards() {
        let bytes = (0...255).map { UInt8($0) }
        for length in 0...bytes.count {
            XCTAssertEqual(
                Base64.bytes(of: Base64.text(of: bytes[..<length])), Array(bytes[..<length]))
        }
    }

    func testWrongText_isNil() {
        for text in ["Z", "Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zm9v!", "Zm-v", "Zm\u{E9}v"] {
            XCTAssertNil(Base64.bytes(of: text), text)
        }
    }
}
