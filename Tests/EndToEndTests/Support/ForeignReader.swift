import Foundation
import GatewayTesting
import XCTest

/// Reads files of workouts with programs of others, which are written in Python.
enum ForeignReader {
    /// What each of them found.
    ///
    /// - Throws: `XCTSkip` where Python or one of them is missing.
    static func read(
        _ path: String, _ script: String, _ home: Home
    ) async throws -> [[String: Any]] {
        let fixtures = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/WorkoutFiles")
        // The Python that has the readers, which need not be that of the system.
        let own = ProcessInfo.processInfo.environment
        let environment = home.environment.merging(own.filter { $0.key == "PATH" }) { $1 }
        let schema = script.contains("tcx") ? fixtures.appending(path: schemaName).path : ""
        let program = try RunningCommand(
            ["/usr/bin/env", "python3", fixtures.appending(path: script).path, path, schema],
            in: home.folder, environment: environment, output: .pipe)
        let ending = try await program.waitForEnd()
        guard ending != .exited(127) else {
            throw XCTSkip("python3 is missing; apt-get install python3 python3-pip")
        }
        let error = await program.text(of: .error)
        XCTAssertEqual(ending, .exited(0), error)
        let readings = try await program.text(of: .output).split(separator: "\n").map { line in
            try XCTUnwrap(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let missing = readings.compactMap { $0["missing"] as? String }
        guard missing.isEmpty else {
            throw XCTSkip("missing: pip install \(missing.joined(separator: " "))")
        }
        return readings
    }

    private static let schemaName = "tcx.xsd"
}
