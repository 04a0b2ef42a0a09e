import XCTest

@testable import Backup

/// Tests with the examples of FIPS 180-4 and of NIST's "SHA-256 Test Data".
final class SHA256Tests: XCTestCase {
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    func testExamples() {
        XCTAssertEqual(
            SHA256.hex(of: []), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        XCTAssertEqual(SHA256.hex(of: Array("abc".utf8)), Self.abc)
        let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        XCTAssertEqual(
            SHA256.hex(of: Array(two.utf8)),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        XCTAssertEqual(
            SHA256.hex(of: [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    func testEveryLength_inTwoPieces_isThatOfOne() {
        let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for count in 0...bytes.count {
            let whole = SHA256.hex(of: Array(bytes[..<count]))
            for cut in [0, count / 3, count / 2, count] {
                var hash = SHA256()
                hash.update(Array(bytes[..<cut]))
                hash.update(Array(bytes[cut..<count]))
                XCTAssertEqual(hash.finish(), whole, "\(count), cut at \(cut)")
            }
        }
    }
}
