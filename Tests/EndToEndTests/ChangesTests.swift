import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// `pulsegate changes`: what was stored and deleted since an anchor.
final class ChangesTests: XCTestCase {
    private func samples(_ minutes: Range<Int>) throws -> [Record] {
        try minutes.map { try Home.heartRate($0) }
    }

    func testChanges_sinceAnAnchor_alsoInAFile() async throws {
        let home = try Home()
        try home.configure(#"{ sinks: { store: "sqlite" } }"#)
        try await home.fill(samples(0..<3))
        let file = home.folder.path("anchor")
        let all = try await home.run("changes", "--anchor-file", file)
        XCTAssertEqual(all.ending, .exited(0), all.error)
        XCTAssertEqual(all.output.split(separator: "\n").count, 3)
        let exported = try await home.run("export", "-", "--format", "ndjson")
        XCTAssertEqual(all.output, exported.output)
        let id = try samples(1..<2)[0].id.description
        let deletion = try await home.run("delete", "sample", id, "--yes")
        XCTAssertEqual(deletion.ending, .exited(0), deletion.error)
        let anchor = try String(contentsOfFile: file, encoding: .utf8).dropLast()
        let since = try await home.run("changes", "--since", String(anchor))
        let lines = since.output.split(separator: "\n")
        XCTAssertEqual(lines.first, #"{"kind":"deletion","id":"\#(id)"}"#)
        XCTAssertEqual(lines.count, 2)
        let kept = try await home.run("changes", "--anchor-file", file)
        XCTAssertEqual(kept.output, "\(lines[0])\n")
        let nothing = try await home.run("changes", "--anchor-file", file)
        XCTAssertEqual(nothing.output, "")
    }

    func testFollow_printsWhatAnotherCommandStores() async throws {
        let home = try Home()
        try home.configure(#"{ sinks: { store: "sqlite" } }"#)
        try await home.fill(samples(0..<1))
        let following = try home.start("changes", "--follow")
        try await following.waitForLines(2, with: "{", on: .output)
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        try await following.waitForLines(with: #""type":"bodyMass""#, on: .output)
        await following.send(SIGTERM)
        let ending = try await following.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let error = await following.text(of: .error)
        XCTAssertEqual(error, "")
    }

    func testFollow_ofAFileThatIsMoved_endsWithAnError() async throws {
        let home = try Home()
        try home.configure(#"{ sinks: { store: "sqlite" } }"#)
        try await home.fill(samples(0..<1))
        let following = try home.start("changes", "--follow")
        try await following.waitForLines(2, with: "{", on: .output)
        let store = "\(home.dataDirectory)/health.sqlite"
        try FileManager.default.moveItem(atPath: store, toPath: "\(store).old")
        let ending = try await following.waitForEnd()
        XCTAssertEqual(ending, .exited(1))
        let error = await following.text(of: .error)
        XCTAssertTrue(error.contains("moved or replaced"), error)
    }

    func testWrongAnchors_andMissingStores_areReported() async throws {
        let home = try Home()
        try home.configure(#"{ sinks: { store: "sqlite" } }"#)
        let missing = try await home.run("changes")
        XCTAssertEqual(missing.ending, .exited(1))
        XCTAssertTrue(missing.error.contains("no store"), missing.error)
        try await home.fill(samples(0..<1))
        try home.folder.write(Array("x".utf8), to: "other")
        let other = home.folder.path("other")
        for (words, status, message) in [
            (["--since", "yesterday"], 64, "expected an anchor"),
            (["--since", "1.0.0"], 1, "the anchor is not of this store"),
            (["--since", "1.0.0", "--anchor-file", other], 64, "exclude each other"),
            (["--anchor-file", other], 78, "remove the file to read all records again"),
            (["--anchor-file", home.folder.path("none/a")], 1, "none/a"),
        ] as [([String], Int32, String)] {
            let outcome = try await home.run(["changes"] + words)
            XCTAssertEqual(outcome.ending, .exited(status), "\(words) \(outcome.error)")
            XCTAssertTrue(outcome.error.contains(message), "\(words) \(outcome.error)")
        }
    }
}
