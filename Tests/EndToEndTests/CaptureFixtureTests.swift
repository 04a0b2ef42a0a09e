import Foundation
import GatewayTesting
import XCTest

/// The fixtures of all plugins: `Fixtures/NAME/capture` with the records that it must make.
///
/// A new folder is a new test. With `PULSEGATE_UPDATE_FIXTURES=1` in the environment,
/// `expected.ndjson` is written instead of compared.
final class CaptureFixtureTests: XCTestCase {
    private static let plugins = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("../../plugins").standardized

    private func fixtures() throws -> [URL] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: Self.plugins.path).sorted().flatMap { plugin in
            let folder = Self.plugins.appendingPathComponent("\(plugin)/Fixtures")
            let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.sorted().map { folder.appendingPathComponent($0) }
        }.filter { files.fileExists(atPath: $0.appendingPathComponent("capture").path) }
    }

    func testFixtures_makeTheirExpectedRecords() async throws {
        let home = try Home()
        let isUpdate = ProcessInfo.processInfo.environment["PULSEGATE_UPDATE_FIXTURES"] == "1"
        let fixtures = try fixtures()
        XCTAssertGreaterThanOrEqual(fixtures.count, 3)
        for fixture in fixtures {
            let capture = fixture.appendingPathComponent("capture").path
            let expected = fixture.appendingPathComponent("expected.ndjson")
            let outcome = try await home.run("replay", capture, "--speed", "max")
            XCTAssertEqual(outcome.ending, .exited(0), "\(capture): \(outcome.error)")
            if isUpdate {
                try outcome.output.write(to: expected, atomically: true, encoding: .utf8)
            }
            let lines = try String(contentsOf: expected, encoding: .utf8)
            XCTAssertFalse(lines.isEmpty, expected.path)
            // Line by line: the difference of two long texts is hard to read.
            let pairs = zip(lines.split(separator: "\n"), outcome.output.split(separator: "\n"))
            for (number, pair) in pairs.enumerated() where pair.0 != pair.1 {
                XCTAssertEqual(pair.0, pair.1, "\(expected.path), line \(number + 1)")
                break
            }
            XCTAssertEqual(
                lines.utf8.count, outcome.output.utf8.count, "\(expected.path): the length")
        }
    }
}
