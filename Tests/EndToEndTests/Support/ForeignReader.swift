import Foundation
import GatewayTesting
import XCTest

/// Reads files of workouts with programs of others, which are written in Python.
enum ForeignReader {
    /// What each of them found, or that it is missing.
    ///
    /// - Throws: `XCTSkip` where there is no Python.
    static func read(
        _ path: String, _ script: String, _ home: Home
    ) async throws -> [[String: Any]] {
        let fixtures = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/WorkoutFiles")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else {
            throw XCTSkip("python3 is missing; apt-get install python3 python3-pip")
        }
        let schema = script.contains("tcx") ? fixtures.appending(path: schemaName).path : ""
        let program = try RunningCommand(
            ["/usr/bin/python3", fixtures.appending(path: script).path, path, schema],
            in: home.folder, environment: home.environment, output: .pipe)
        let ending = try await program.waitForEnd()
        let error = await program.text(of: .error)
        XCTAssertEqual(ending, .exited(0), error)
        return try await program.text(of: .output).split(separator: "\n").map { line in
            try XCTUnwrap(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private static let schemaName = "tcx.xsd"
}
