import Synchronization
import XCTest

/// Tests of a class that share one Chromium, since it takes a second to start.
class PageTestCase: XCTestCase {
    private static let shared = Mutex<Task<Browser, any Error>?>(nil)

    /// The browser of this class, with an empty page.
    static func browser() async throws -> Browser {
        let start = shared.withLock { shared in
            let start = shared ?? Task { try await Browser() }
            shared = start
            return start
        }
        let browser = try await start.value
        try await browser.openTab()
        return browser
    }

    override class func tearDown() {
        shared.withLock { $0 = nil }
        super.tearDown()
    }
}
