import Foundation
import GatewayTesting
import Glibc
import SQLite
import XCTest

/// A home with data, and others into which its backup is restored.
struct BackupHomes {
    let old: Home

    /// Makes a home with some samples, a person and a secret; no gateway runs.
    init(samples count: Int = 200) async throws {
        old = try Home()
        try old.configure(
            #"{ sinks: { store: "sqlite" }, people: { ada: { birthDate: "1986-02-14" } } }"#)
        let lines = (0..<count).map { number in
            let time = String(
                format: "2026-11-%02dT%02d:%02d:00Z", 1 + number / 1_440, number / 60 % 24,
                number % 60)
            return #"{"id":"0198f3c2-0000-8000-8000-\#(String(format: "%012x", number))","#
                + #""type":"heartRate","start":"\#(time)","end":"\#(time)","#
                + #""value":\#(60 + number % 90),"unit":"count/min","person":"ada"}"#
        }
        try old.folder.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "in.ndjson")
        try await Self.succeed(old, "import", old.folder.path("in.ndjson"))
        try await Self.succeed(old, "people", "set", "bob", "--sex", "male")
    }

    /// Adds rows without the gateway, so that a backup takes a while.
    func grow(by count: Int) throws {
        let store = try SQLiteConnection(
            path: "\(old.dataDirectory)/health.sqlite", access: .readWrite)
        try store.execute(
            """
            WITH RECURSIVE numbers (n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO sample (sequence, id, type, origin, start_ns, duration_ns, value)
            SELECT 4000000000000000000 + n, randomblob(8), (SELECT min(id) FROM type),
                (SELECT min(id) FROM origin), n * 1000000000, 0, 70 FROM numbers;
            """)
    }

    var backup: String { old.folder.path("backup.tar") }

    /// Runs a command that must succeed.
    @discardableResult
    static func succeed(
        _ home: Home, _ words: String..., line: UInt = #line
    ) async throws -> Home.Outcome {
        let outcome = try await home.run(words)
        XCTAssertEqual(outcome.ending, .exited(0), "\(words): \(outcome.error)", line: line)
        return outcome
    }

    /// Asserts that a home has exactly what the old one has.
    func assertRestored(_ home: Home, _ context: String = "", line: UInt = #line) throws {
        XCTAssertEqual(
            try StoreDump.rows(of: "\(home.dataDirectory)/health.sqlite"),
            try StoreDump.rows(of: "\(old.dataDirectory)/health.sqlite"), context, line: line)
        for name in ["people.json"] {
            XCTAssertEqual(
                FileManager.default.contents(atPath: "\(home.dataDirectory)/\(name)"),
                FileManager.default.contents(atPath: "\(old.dataDirectory)/\(name)"), context,
                line: line)
        }
        XCTAssertEqual(
            FileManager.default.contents(atPath: home.configurationPath),
            FileManager.default.contents(atPath: old.configurationPath), context, line: line)
    }

    /// The names in a folder; none when it does not exist.
    static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// The names in the home of what a backup has left besides the file itself.
    var drafts: [String] {
        (Self.names(in: old.folder.path) + Self.names(in: old.dataDirectory)).filter {
            $0.hasSuffix(".new") || $0.contains("restor")
        }
    }
}
