import GatewayTesting
import XCTest

@testable import HTTPClient

final class CurlLibraryTests: XCTestCase {
    func testOpen_whenItIsNotInstalled_reportsHowToInstallIt() throws {
        let error = try XCTUnwrap(failure(of: try CurlLibrary("libcurl-of-nobody.so.4")))

        XCTAssertEqual(error.kind, .configuration)
        XCTAssertTrue(
            error.detail.hasPrefix("libcurl-of-nobody.so.4 cannot be loaded"), error.detail)
        XCTAssertTrue(error.detail.contains("sudo apt-get install libcurl4"), error.detail)
    }

    func testOpen_whenItIsAnotherLibrary_namesWhatIsMissing() throws {
        let error = try XCTUnwrap(failure(of: try CurlLibrary("libc.so.6")))

        XCTAssertEqual(error.kind, .configuration)
        XCTAssertTrue(error.detail.contains("curl_"), error.detail)
    }

    func testOpen_whenItIsNoLibrary_isRejected() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("no library".utf8), to: "libcurl.so.4")

        let error = try XCTUnwrap(failure(of: try CurlLibrary(path)))

        XCTAssertEqual(error.kind, .configuration)
    }

    func testOpen_onManyThreads_isOneLibrary() async throws {
        let libraries = try await withThrowingTaskGroup(of: CurlLibrary.self) { group in
            for _ in 0..<100 { group.addTask { try CurlLibrary.open() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        XCTAssertEqual(Set(libraries.map(ObjectIdentifier.init)).count, 1)
    }
}
