import GatewayTesting
import HTTPClient
import HTTPTesting
import XCTest

extension ScriptedHTTPServer {
    /// A request to this server.
    func request(
        _ path: String = "/", headers: [HTTPHeader] = [],
        body: [UInt8] = Array("{}".utf8), limits: HTTPLimits = HTTPLimits()
    ) throws -> HTTPRequest {
        HTTPRequest(try HTTPURL(url(path)), headers: headers, body: body, limits: limits)
    }
}

extension HTTPClient {
    /// The error of a request that must fail.
    func failure(
        of request: HTTPRequest, file: StaticString = #filePath, line: UInt = #line
    ) async throws -> HTTPError {
        do {
            let response = try await send(request)
            XCTFail("it was answered with \(response.status)", file: file, line: line)
        } catch let error as HTTPError {
            return error
        }
        throw CancellationError()
    }
}

/// The error of a value that must not be made.
func failure<Value>(
    of value: @autoclosure () throws -> Value, file: StaticString = #filePath, line: UInt = #line
) -> HTTPError? {
    var found: HTTPError?
    XCTAssertThrowsError(try value(), file: file, line: line) { found = $0 as? HTTPError }
    return found
}
