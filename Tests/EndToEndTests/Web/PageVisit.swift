import HTTPTesting
import XCTest

/// A browser that has opened a page of a scripted server.
struct PageVisit {
    let browser: Browser
    let pages: ScriptedPages
    let server: ScriptedHTTPServer

    /// Opens a page.
    init(
        _ path: String, _ scene: ScriptedPages.Scene, width: Int = 360, height: Int = 640
    ) async throws {
        browser = try await PageTestCase.browser()
        pages = ScriptedPages(scene)
        server = try pages.makeServer()
        try await browser.show(width: width, height: height)
        try await browser.open(server.url(path))
    }

    /// Opens a page with these people in the stream.
    init(
        _ path: String, people: [String], width: Int = 360, height: Int = 640
    ) async throws {
        let scene = ScriptedPages.Scene(people: "[\(people.joined(separator: ","))]")
        try await self.init(path, scene, width: width, height: height)
    }

    /// Opens a page again, with other people in the stream.
    func reopen(_ path: String, people: [String]) async throws {
        pages.set(ScriptedPages.Scene(people: "[\(people.joined(separator: ","))]"))
        try await browser.open(server.url(path))
    }

    /// Waits until the page has sent this request.
    func wait(forPost start: String) async throws {
        let pages = pages
        try await server.wait { _ in pages.posts.contains { $0.hasPrefix(start) } }
    }

    /// Waits until the page has read this.
    func wait(forGet start: String) async throws {
        let pages = pages
        try await server.wait { _ in pages.gets.contains { $0.hasPrefix(start) } }
    }

    /// Asserts that the page is not larger than the screen, and complains about nothing.
    func assertFits(file: StaticString = #filePath, line: UInt = #line) async throws {
        let excess: [Int]? = try await browser.evaluate(
            """
            [document.documentElement.scrollWidth - innerWidth,
             document.documentElement.scrollHeight - innerHeight]
            """)
        XCTAssertEqual(excess, [0, 0], file: file, line: line)
        let complaints = await browser.complaints
        XCTAssertEqual(complaints, [], file: file, line: line)
    }
}
