import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import Capture

/// What a capture can be written to.
final class CaptureFileTests: XCTestCase {
    private func open(_ path: String) throws {
        _ = try CaptureRecorder(
            path, version: "1", earliest: Instant(nanosecondsSince1970: 0), replaces: true,
            isAnonymous: false, calendar: .utc, clock: SystemClock(),
            log: Logger(component: "test") { _ in })
    }

    func testPipe_thatNobodyReads_isRefusedAtOnce() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        for path in [pipe, folder.path, folder.path("none/file")] {
            XCTAssertThrowsError(try open(path)) {
                XCTAssertTrue("\($0)".contains(path), "\($0)")
            }
        }
    }

    func testPipe_thatIsRead_getsTheCapture() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let reader = Foundation.open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        XCTAssertNoThrow(try open(pipe))
    }
}
