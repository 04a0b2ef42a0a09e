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

    /// What the readers find in the files of a folder.
    /// - Throws: XCTSkip when a requirement is missing.
    static func readings(ofFolder folder: String) throws -> [OtherReading] {
        try lines(of: "read_folder.py", [folder], seconds: 3_600).map {
            try JSONDecoder().decode(OtherReading.self, from: $0)
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
        var found: [String: [String: Any]] = [:]
        for line in try lines(of: script, [file.path, schema.path], seconds: 120) {
            let object = try XCTUnwrap(
                JSONSerialization.jsonObject(with: line) as? [String: Any])
            found[try XCTUnwrap(object["reader"] as? String)] = object
        }
        return found
    }

    /// The lines that a script prints, each a JSON object.
    private static func lines(
        of script: String, _ arguments: [String], seconds: Int
    ) throws -> [Data] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["timeout", "\(seconds)", "python3", fixtures.appending(path: script).path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus != 127 else {
            throw XCTSkip("python3 is missing; apt-get install python3 python3-pip")
        }
        XCTAssertEqual(process.terminationStatus, 0)
        let lines = text.split(separator: UInt8(ascii: "\n"))
        for line in lines where line.starts(with: #"{"missing""#.utf8) {
            let missing = (try JSONSerialization.jsonObject(with: line) as? [String: Any])?[
                "missing"]
            throw XCTSkip(
                "\(missing ?? "a reader") is missing; "
                    + "pip install --break-system-packages \(packages)")
        }
        return lines
    }
}
