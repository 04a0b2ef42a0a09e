import HTTPClient
import XCTest

final class HTTPRequestTests: XCTestCase {
    func testHeader_thatCouldBeMoreThanALine_isRejectedWithoutItsValue() throws {
        for value in ["tok\r\nX: y", "tok\n", "tok\r", "tok\u{0}", "tok\u{7F}", " tok", "tok\t"] {
            let error = try XCTUnwrap(failure(of: try HTTPHeader("Authorization", value)))

            XCTAssertEqual(error.kind, .badRequest)
            XCTAssertTrue(error.description.contains("Authorization"), error.description)
            XCTAssertFalse(error.description.contains("tok"), error.description)
        }
    }

    func testHeader_withALongValue_isRejected() throws {
        XCTAssertNoThrow(try HTTPHeader("X", String(repeating: "a", count: 8192)))
        let error = failure(of: try HTTPHeader("X", String(repeating: "a", count: 8193)))
        XCTAssertEqual(error?.kind, .badRequest)
    }

    func testHeader_withANameThatIsNoWord_isRejected() throws {
        for name in ["", "X Y", "X:", "X\r\nY", "Ü", "X\u{0}", String(repeating: "a", count: 257)] {
            XCTAssertEqual(failure(of: try HTTPHeader(name, "v"))?.kind, .badRequest, name)
        }
    }

    func testHeader_ofTheClientItself_isRejected() throws {
        for name in ["Host", "content-length", "Transfer-Encoding", "CONNECTION", "Expect"] {
            XCTAssertEqual(failure(of: try HTTPHeader(name, "v"))?.kind, .badRequest, name)
        }
    }

    func testRequest_thatCannotBeSent_isRejected() async throws {
        let client = HTTPClient()
        let url = try HTTPURL("http://127.0.0.1:1/")
        let header = try HTTPHeader("X-A", "1")
        let many = try (0...64).map { try HTTPHeader("X-\($0)", "1") }

        let requests = [
            HTTPRequest(url, headers: [header, try HTTPHeader("x-a", "2")]),
            HTTPRequest(url, headers: many),
        ]

        for request in requests {
            let error = try await client.failure(of: request)
            XCTAssertEqual(error.kind, .badRequest)
            XCTAssertTrue(error.description.hasPrefix("http://127.0.0.1:1: "), error.description)
        }
    }
}
