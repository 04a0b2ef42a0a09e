import Foundation
import GatewayTesting
import Glibc
import Serial
import XCTest

/// Records that wait for a large batch, as a store on an SD card has them.
final class LargeBatchTests: XCTestCase {
    func testRecord_thatWaitsForAMinute_isShownAtOnce_andSurvivesACrash() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: { use: "sqlite", batch: { seconds: 60 } } } }
            """)
        // Before there is a store, reading it is a failure.
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let tap = try home.start("tap", "--type", "stepCount")
        // Nobody knows when a tap has begun, until it prints.
        var steps = 1
        while await tap.lines(of: .output, with: "stepCount").isEmpty {
            guard steps < 200 else { return XCTFail("the tap prints nothing") }
            try port.write(Array("Steps: \(steps)\n".utf8))
            steps += 2
            await tap.letRun(seconds: 0.1)
        }
        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd(within: 10)
        _ = try await tap.waitForEnd(within: 10)
        // Nobody has asked the gateway for what the sink collects.
        for words in Self.readingCommands {
            let waiting = try await home.run(words)
            XCTAssertEqual(waiting.ending, .exited(0), "\(words): \(waiting.error)")
            XCTAssertFalse(waiting.output.contains(",2,count,"), "\(words)")
            let notes = waiting.error.split(separator: "\n").filter {
                $0.contains("in the journal")
            }
            XCTAssertEqual(notes.count, 1, "\(words): \(waiting.error)")
            XCTAssertTrue(notes.first?.hasPrefix("pulsegate: note: ") == true, waiting.error)
        }

        let next = try await home.run("run", "--for", "1")
        XCTAssertEqual(next.ending, .exited(0), next.error)
        let stored = try await home.run("query", "stepCount", "--format", "csv")
        XCTAssertTrue(stored.output.contains(",2,count,"), stored.output + stored.error)
        XCTAssertEqual(stored.error, "")
    }

    /// The commands that read the store without a gateway.
    private static let readingCommands = [
        ["query", "stepCount", "--format", "csv"], ["query", "heartRate", "--latest"],
        ["statistics", "stepCount"], ["summary", "day"], ["changes"],
        ["search", "steps"], ["export", "-", "--format", "csv"],
        ["workout", "list"], ["workout", "trends"],
    ]

    /// The note is no reason for a command to fail, nor to touch the journal.
    func testJournalThatCannotBeRead_isNoFailureOfAReadingCommand_andStaysAsItIs() async throws {
        let home = try Home()
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        let journal = "\(home.dataDirectory)/journal"
        let name = try XCTUnwrap(
            FileManager.default.contentsOfDirectory(atPath: journal)
                .filter { $0.hasSuffix(".segment") }.max())
        let segment = URL(fileURLWithPath: "\(journal)/\(name)")
        var bytes = try Data(contentsOf: segment)
        bytes.replaceSubrange(0..<80, with: repeatElement(0xFF, count: 80))
        try bytes.write(to: segment)
        let names = try FileManager.default.contentsOfDirectory(atPath: journal).sorted()
        func query(noting note: String) async throws {
            let outcome = try await home.run("query", "bodyMass", "--format", "csv")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertTrue(
                note.isEmpty ? outcome.error.isEmpty : outcome.error.contains(note), outcome.error)
            XCTAssertTrue(outcome.output.contains(",70,kg,"), outcome.output)
        }
        try await query(noting: "note: the journal is damaged: ")
        XCTAssertEqual(try Data(contentsOf: segment), bytes)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: journal).sorted(), names)
        // A pipe in its place is no segment, and has no writer, for which nobody waits.
        try FileManager.default.removeItem(at: segment)
        XCTAssertEqual(mkfifo(segment.path, 0o600), 0)
        try await query(noting: "")
        try FileManager.default.removeItem(atPath: journal)
        symlink("nowhere", journal)
        try await query(noting: "note: cannot read the journal: ")
    }
}
