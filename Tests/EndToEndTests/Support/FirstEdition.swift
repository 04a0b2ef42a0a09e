import Foundation
import GatewayTesting
import HealthModel
import SQLite
import XCTest

/// The data directory that a gateway of the first edition left when it was killed, in a home of its own.
///
/// `Tests/Fixtures/FirstEdition/README.md` says what is in it.
struct FirstEdition {
    let home: Home

    /// The names in the repository, where `.gitignore` keeps SQLite's own names out, and in a data directory.
    private static let files = [
        "health.fixture": "health.sqlite", "health-wal.fixture": "health.sqlite-wal",
        "journal.fixture": "journal.sqlite", "journal-wal.fixture": "journal.sqlite-wal",
        "devices.json": "devices.json", "people.json": "people.json",
    ]

    private static var fixtures: URL {
        URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/FirstEdition")
    }

    /// Copies the files into a home that has no data directory yet.
    init(in home: Home) throws {
        self.home = home
        try FileManager.default.createDirectory(
            atPath: home.dataDirectory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for (source, target) in Self.files {
            let content = try Data(contentsOf: Self.fixtures.appending(path: "data/\(source)"))
            let isMade = FileManager.default.createFile(
                atPath: "\(home.dataDirectory)/\(target)", contents: content,
                attributes: [.posixPermissions: 0o600])
            XCTAssertTrue(isMade, target)
        }
    }

    /// Changes the one time in the store that is compared with the present, so that the workout in
    /// progress was seen at an instant: a gateway does not continue a workout after an hour.
    func noteWorkoutSeen(at instant: Instant) throws {
        let store = try SQLiteConnection(
            path: "\(home.dataDirectory)/health.sqlite", access: .readWrite)
        try store.execute("UPDATE session SET seen_ns = \(instant.nanosecondsSince1970)")
        XCTAssertEqual(store.changes, 1)
    }

    // MARK: What the first edition read from the files

    /// The text of a file beside the fixture.
    static func expectedText(_ name: String) throws -> String {
        try String(contentsOf: fixtures.appending(path: "expected/\(name)"), encoding: .utf8)
    }

    /// The object in a file beside the fixture.
    static func expectedObject(_ name: String) throws -> [String: Any] {
        try XCTUnwrap(json(expectedText(name)) as? [String: Any])
    }

    /// The objects in a file beside the fixture, one in each line.
    static func expectedLines(_ name: String) throws -> [NSDictionary] {
        try lines(expectedText(name))
    }

    /// The objects of a text with one in each line; the order of their keys does not matter.
    static func lines(_ text: String) throws -> [NSDictionary] {
        try text.split(separator: "\n").map { line in
            try XCTUnwrap(json(String(line)) as? NSDictionary)
        }
    }

    /// The value that a text of JSON says.
    static func json(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8))
    }
}

extension FirstEdition {
    /// Runs the command, which must succeed, and answers with what it prints.
    func output(
        _ words: String..., file: StaticString = #filePath, line: UInt = #line
    ) async throws -> String {
        let outcome = try await home.run(words)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error, file: file, line: line)
        return outcome.output
    }

    /// Asserts that an object has these keys with these values, beside others.
    static func assert(
        _ object: Any?, says expected: Any?, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let object = try XCTUnwrap(object as? [String: Any], file: file, line: line)
        let expected = try XCTUnwrap(expected as? [String: Any], file: file, line: line)
        XCTAssertFalse(expected.isEmpty, file: file, line: line)
        for (key, value) in expected {
            XCTAssertEqual(
                object[key] as? NSObject, value as? NSObject, key, file: file, line: line)
        }
    }
}
