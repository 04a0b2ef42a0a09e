import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import JSON
import Platform
import Readings
import XCTest

@testable import Capture

/// Tests of what a capture must not have.
final class CaptureSecretsTests: XCTestCase {
    private func capture(isAnonymous: Bool) async throws -> String {
        let folder = try TemporaryFolder()
        let clock = SystemClock()
        let recorder = try CaptureRecorder(
            folder.path("capture"), version: "1", earliest: Instant(nanosecondsSince1970: 0),
            replaces: false, isAnonymous: isAnonymous, calendar: LocalCalendar { _ in 0 },
            clock: clock, log: Logger(component: "test") { _ in })
        let adapter = JSONValue.object([
            "protocol": .object([
                "use": .string("exec"), "command": .array([.string("decoder")]),
                "environment": .object(["API_TOKEN": .string("s3cr3t")]),
            ])
        ])
        let now = clock.now()
        let identity = Array(#"{"reading":"identity","name":"JaneDoeWatch"}"#.utf8)
        let contents: [DeviceReport.Content] = [
            .traffic(.adapter(adapter)), .opened(Device(name: "x"), at: now),
            .traffic(.received(identity, on: .program, at: now)),
            .traffic(.received([0x23], on: .stream, at: now)),
        ]
        for content in contents {
            await recorder.record(DeviceReport(device: "/dev/ttyUSB0", content), from: "foot")
        }
        return try String(contentsOfFile: folder.path("capture"), encoding: .utf8)
    }

    private let nameDigits = "JaneDoeWatch".utf8.map { String($0, radix: 16) }.joined()

    func testCapture_hasNoVariablesOfPrograms() async throws {
        let text = try await capture(isAnonymous: false)
        XCTAssertTrue(text.contains("decoder"), text)
        XCTAssertFalse(text.contains("s3cr3t") || text.contains("API_TOKEN"), text)
        XCTAssertTrue(text.contains(nameDigits), text)
    }

    func testAnonymousCapture_hasNoIdentityFromADecoder() async throws {
        let text = try await capture(isAnonymous: true)
        XCTAssertFalse(text.contains(nameDigits), text)
        XCTAssertTrue(text.contains(#""bytes":"23""#), text)
    }
}
