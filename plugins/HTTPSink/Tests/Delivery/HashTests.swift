import XCTest

@testable import HTTPSink

final class HashTests: XCTestCase {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    /// The examples of NIST for FIPS 180-4, and a million times `a`.
    func testSHA256_ofThePublishedExamples() {
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        let examples = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
        for (text, digest) in examples {
            XCTAssertEqual(hex(SHA256.digest(of: Array(text.utf8))), digest)
        }
    }

    func testSHA256_ofEveryLengthAroundABlock_differs() {
        let digests = (0...200).map { SHA256.digest(of: [UInt8](repeating: 7, count: $0)) }
        XCTAssertEqual(Set(digests).count, 201)
        XCTAssertEqual(Set(digests.map(\.count)), [32])
    }

    /// RFC 4648, section 10.
    func testBase64_ofThePublishedExamples() {
        let examples = [
            "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==",
            "fooba": "Zm9vYmE=", "foobar": "Zm9vYmFy", "\u{FF}\u{FE}\u{3E}": "w7/Dvj4=",
        ]
        for (text, base64) in examples {
            XCTAssertEqual(Base64.text(of: Array(text.utf8)), base64)
        }
    }
}
