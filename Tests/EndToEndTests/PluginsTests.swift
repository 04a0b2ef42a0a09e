import Foundation
import GatewayTesting
import XCTest

/// `plugins` tells what is built in, and each plugin's folder says the same.
final class PluginsTests: XCTestCase {
    /// An entry of `plugins --json`.
    private struct Entry: Decodable {
        struct Setting: Decodable {
            let name: String
            let meaning: String
            let `default`: String?
        }

        let kind: String
        let use: String
        let summary: String
        let settings: [Setting]
        let sample: String
    }

    private func entries(_ words: String...) async throws -> [Entry] {
        let outcome = try await Home().run(["plugins", "--json"] + words)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        return try JSONDecoder().decode([Entry].self, from: Data(outcome.output.utf8))
    }

    /// The plugins' folders, each with its text of a file; one without `Sources` is a program.
    private func folders() throws -> [(name: String, readme: String, sample: String)] {
        let root =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path + "/plugins"
        return try FileManager.default.contentsOfDirectory(atPath: root).filter {
            FileManager.default.fileExists(atPath: "\(root)/\($0)/Sources")
        }.sorted().map { name in
            let texts = try ["README.md", "sample.json5"].map {
                try String(contentsOfFile: "\(root)/\(name)/\($0)", encoding: .utf8)
            }
            return (name, texts[0], texts[1])
        }
    }

    func testEveryFolder_isDescribedByTheCommand() async throws {
        let entries = try await entries()
        for (name, readme, sample) in try folders() {
            let own = entries.filter { $0.sample == sample }
            XCTAssertEqual(own.count, 1, "no plugin has the text of plugins/\(name)/sample.json5")
            for setting in own.flatMap(\.settings) {
                XCTAssertTrue(
                    readme.contains("`\(setting.name)"), "\(name)/README.md lacks \(setting.name)")
            }
        }
        // One folder may have several plugins of one name: a source, a decoder and a sink.
        let names = Set(entries.filter { $0.kind != "source" }.map(\.use))
        XCTAssertGreaterThanOrEqual(try folders().count, names.count)
    }

    func testEveryEntry_isComplete() async throws {
        let entries = try await entries()
        XCTAssertEqual(
            entries.map { "\($0.kind) \($0.use)" }.filter(Self.first.contains), Self.first)
        for entry in entries {
            XCTAssertTrue(entry.summary.hasSuffix("."), entry.use)
            XCTAssertLessThan(entry.summary.count, 100, entry.use)
            XCTAssertTrue(entry.settings.allSatisfy { !$0.meaning.isEmpty }, entry.use)
        }
    }

    /// In this order, perhaps with others between them.
    private static let first = [
        "GATT profile heartRate", "serial protocol hxm", "serial protocol lines", "source serial",
        "sink sqlite", "sink stdout",
    ]

    func testEverySample_isARightConfiguration() async throws {
        let home = try Home()
        for entry in try await entries() {
            try home.configure(entry.sample)
            let outcome = try await home.run("check")
            XCTAssertEqual(outcome.ending, .exited(0), "\(entry.use): \(outcome.error)")
        }
    }

    func testName_showsSettingsAndSample() async throws {
        let outcome = try await Home().run("plugins", "lines")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.hasPrefix("lines: serial protocol\nReads "), outcome.output)
        XCTAssertTrue(outcome.output.contains("  preset      format of the lines: steps, "))
        XCTAssertTrue(
            outcome.output.contains("; default: that of the preset, 9600 with `templates`\n"))
        XCTAssertTrue(outcome.output.contains("\n\n{\n  sources: {\n"))
        let sink = try await entries("sqlite")
        XCTAssertEqual(
            sink.flatMap(\.settings).map(\.name),
            ["path", "retention", "types", "buffer", "batch", "from", "previousName"])
        XCTAssertEqual(
            sink.flatMap(\.settings).map(\.default).prefix(3),
            ["health.sqlite", "unlimited", "all"])
    }

    func testList_hasALineForEach() async throws {
        let outcome = try await Home().run("plugins")
        for entry in try await entries() {
            XCTAssertTrue(outcome.output.contains("  \(entry.use) "), outcome.output)
            XCTAssertTrue(outcome.output.contains(" \(entry.summary)\n"), outcome.output)
        }
        XCTAssertEqual(outcome.error, "")
    }

    func testUnknownName_endsWith64AndTheNearest() async throws {
        let outcome = try await Home().run("plugins", "sqllite")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("did you mean `sqlite`?"), outcome.error)
        XCTAssertEqual(outcome.output, "")
    }
}
