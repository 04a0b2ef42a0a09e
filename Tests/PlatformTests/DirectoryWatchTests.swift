import GatewayTesting
import XCTest

@testable import Platform

final class DirectoryWatchTests: XCTestCase {
    func testWait_reportsEventsSinceItsCreation() async throws {
        let folder = try TemporaryFolder()
        let watch = try DirectoryWatch(folder.path)
        try folder.write([], to: "file")
        let isSo = await watch.wait { true }
        XCTAssertTrue(isSo)
    }

    func testWait_continuesUntilTheConditionHolds() async throws {
        let folder = try TemporaryFolder()
        let watch = try DirectoryWatch(folder.path)
        try folder.write([], to: "first")
        var looks = 0
        let isSo = await watch.wait {
            looks += 1
            // The next event comes after the first was read.
            if looks == 1 { _ = try? folder.write([], to: "second") }
            return looks == 2
        }
        XCTAssertTrue(isSo)
        XCTAssertEqual(looks, 2)
    }

    func testWait_endsWithTheTask() async throws {
        let folder = try TemporaryFolder()
        let watch = try DirectoryWatch(folder.path)
        let task = Task { await watch.wait { true } }
        task.cancel()
        let isSo = await task.value
        XCTAssertFalse(isSo)
    }

    func testMissingDirectory_throws() throws {
        let folder = try TemporaryFolder()
        XCTAssertThrowsError(try DirectoryWatch(folder.path("missing"))) { error in
            XCTAssertEqual(
                error as? DirectoryWatch.Failure,
                DirectoryWatch.Failure(operation: "inotify_add_watch", code: ENOENT))
        }
    }
}
