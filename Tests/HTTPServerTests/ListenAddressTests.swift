import HTTPServer
import XCTest

final class ListenAddressTests: XCTestCase {
    func testAddress_isReadFromText() throws {
        let local = try XCTUnwrap(ListenAddress("localhost:8765"))
        XCTAssertEqual(local.description, "127.0.0.1:8765")
        XCTAssertTrue(local.isLoopback)
        let all = try XCTUnwrap(ListenAddress("0.0.0.0:80"))
        XCTAssertTrue(all.isAny)
        XCTAssertFalse(all.isLoopback)
        let six = try XCTUnwrap(ListenAddress("[::1]:8765"))
        XCTAssertEqual(six.description, "[::1]:8765")
        XCTAssertTrue(six.isLoopback)
        XCTAssertTrue(try XCTUnwrap(ListenAddress("[::]:8765")).isAny)
        XCTAssertTrue(try XCTUnwrap(ListenAddress("[::ffff:127.0.0.1]:1")).isLoopback)
    }

    func testAddress_thatIsNoneIsRefused() {
        for text in [
            "", ":", "8765", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
            "127.0.0.1:x", "::1:80", "[::1]", "[127.0.0.1]:80", "gym.example:80", "127.1:80",
            "127.0.0.1\0:80", "[]:80",
        ] {
            XCTAssertNil(ListenAddress(text), text)
        }
    }
}
