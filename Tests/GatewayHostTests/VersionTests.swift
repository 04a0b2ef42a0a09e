import Foundation
import GatewayCore
import HealthModel
import XCTest

@testable import GatewayHost
@testable import Readings

final class VersionTests: XCTestCase {
    private let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    func testDate_isADay_thatHasCome() throws {
        let day = try XCTUnwrap(Instant(iso8601: Version.date))
        XCTAssertEqual(Version.earliestTime, day)
        XCTAssertEqual(day.description, "\(Version.date)T00:00:00.000Z")
        let clock = SystemClock()
        XCTAssertLessThanOrEqual(
            day, clock.epoch().instant(at: clock.now()),
            "`Version.date` is in the future: every clock would be taken for one that is not set")
    }

    func testDate_isNotOlderThanTheVersion() throws {
        guard try git("rev-parse", "--is-shallow-repository") == "false" else {
            throw XCTSkip("the history is not there; clone the whole repository with git")
        }
        // The commit that wrote the current version into the file, wherever the file was then.
        let day = try XCTUnwrap(
            git(
                "log", "-1", "--format=%ad", "--date=format-local:%Y-%m-%d",
                "-S\"\(Version.current)\"", "--follow", "--", "Sources/HostFiles/Version.swift"))
        // A version that is not committed has no date.
        guard !day.isEmpty else { return }
        XCTAssertGreaterThanOrEqual(Version.date, day, "change `date` together with `current`")
    }

    /// The output of git; nil without git or a repository.
    private func git(_ arguments: String...) throws -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["TZ=UTC", "git", "-C", repository.path] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return String(decoding: bytes, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
