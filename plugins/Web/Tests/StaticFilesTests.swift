import Foundation
import HTTPTesting
import XCTest

@testable import Web

final class StaticFilesTests: XCTestCase {
    /// Every file of the folder is in the program, and is served with its type.
    func testFiles_areThoseOfTheFolder() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Pages")
        let web = try await RunningWeb.start(FakeGateway { _, _ in })
        let connection = try web.connect()
        let types = [
            "html": "text/html", "css": "text/css", "js": "text/javascript",
            "svg": "image/svg+xml", "json": "application/manifest+json",
        ]
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        XCTAssertGreaterThan(names.count, 20)
        for name in names {
            let page = name == "index.html" ? "" : name.replacing(".html", with: "")
            let response = try connection.get("/\(page)")
            XCTAssertEqual(response.status, 200, name)
            let file = folder.appending(path: name)
            XCTAssertEqual(response.body, try String(contentsOf: file, encoding: .utf8), name)
            let type = try XCTUnwrap(types[file.pathExtension])
            XCTAssertTrue(response.head.contains("Content-Type: \(type)"), response.head)
        }
        try await web.stop()
    }
}
