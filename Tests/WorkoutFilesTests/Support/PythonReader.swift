import Foundation
import XCTest

/// Runs programs of others, which are written in Python, on a file.
enum PythonReader {
    private static let packages =
        "fitdecode fitparse garmin-fit-sdk tcxreader python-tcxparser lxml"

    private static let fixtures = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/WorkoutFiles")

    /// The results of the readers of a script, by their name.
    /// - Throws: XCTSkip where one is missing.
    static func read(
        _ bytes: [UInt8], _ script: String, schema: String = ""
    ) throws -> [String: [String: Any]] {
        try withFile { file in
            try Data(bytes).write(to: file)
            return try run(script, file, fixtures.appending(path: schema))
        }
    }

    /// The file that a script writes.
    /// - Throws: XCTSkip when a requirement is missing.
    static func written(by script: String) throws -> [UInt8] {
        try withFile { file in
            _ = try run(script, file, fixtures)
            return try Array(Data(contentsOf: file))
        }
    }

    private static func withFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "pulsegate-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(file)
    }

    private static func run(
        _ script: String, _ file: URL, _ schema: URL
    ) throws -> [String: [String: Any]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "timeout", "120", "python3", fixtures.appending(path: script).path, file.path,
            schema.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            throw XCTSkip("python3 is missing; apt-get install python3 python3-pip")
        }
        XCTAssertEqual(process.terminationStatus, 0)
        var found: [String: [String: Any]] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let object = try XCTUnwrap(
                JSONSerialization.jsonObject(with: line) as? [String: Any])
            if let missing = object["missing"] {
                throw XCTSkip(
                    "\(missing) is missing; pip install --break-system-packages \(packages)")
            }
            found[try XCTUnwrap(object["reader"] as? String)] = object
        }
        return found
    }
}
