import Foundation
import XCTest

/// Tests that the deliberate bugs in Tests/Mutants fit the sources, and name suites that exist.
final class MutantTests: XCTestCase {
    private static let leastCount = 30
    private static let folder = "Tests/Mutants"

    private func patches() throws -> [(path: String, lines: [Substring])] {
        try Repository.paths(in: Self.folder).filter { $0.hasSuffix(".patch") }.map { path in
            let url = Repository.root.appending(path: path)
            let text = try String(contentsOf: url, encoding: .utf8)
            return (path, text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// The names by which a suite can be selected: of test classes, and of test targets.
    private func suites() throws -> Set<String> {
        let plugins = try Repository.folders(in: "plugins")
        let targets =
            try Repository.folders(in: "Tests").filter { $0.hasSuffix("Tests") }
            .map { (name: $0, folder: "Tests/\($0)") }
            + plugins.map { (name: "\($0)Tests", folder: "plugins/\($0)/Tests") }
        var names = Set(targets.map(\.name))
        for target in targets {
            for line in try Repository.swiftFiles(in: target.folder).flatMap(\.lines) {
                guard let match = line.firstMatch(of: /^(?:final )?class (\w+)/) else { continue }
                names.formUnion(["\(match.1)", "\(target.name).\(match.1)"])
            }
        }
        return names
    }

    func testMutants_areMany_andEachNamesABugAndSuites() throws {
        let suites = try suites()
        let patches = try patches()
        XCTAssertGreaterThanOrEqual(patches.count, Self.leastCount)
        for (path, lines) in patches {
            XCTAssertTrue(
                lines.first?.hasSuffix(".") == true, "\(path): the first line is no sentence")
            let named = lines.first { $0.hasPrefix("Suite: ") }?.dropFirst("Suite: ".count) ?? ""
            XCTAssertFalse(named.isEmpty, "\(path): there is no line `Suite: NAME`")
            XCTAssertTrue(
                lines.contains { $0.hasPrefix("diff --git ") },
                "\(path): nothing ends the list of suites; write it with `git diff -U2`")
            for suite in named.split(separator: "|") {
                XCTAssertTrue(suites.contains("\(suite)"), "\(path): there is no suite \(suite)")
            }
        }
    }

    func testMutants_applyToTheSources() throws {
        let script = """
            command -v git >/dev/null || exit 3
            for patch in \(Self.folder)/*.patch; do
                git apply --check "$patch" || echo "$patch"
            done
            """
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.currentDirectoryURL = Repository.root
        let output = Pipe()
        shell.standardOutput = output
        try shell.run()
        let failed = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        if shell.terminationStatus == 3 { throw XCTSkip("needs git: apt-get install git") }
        XCTAssertEqual(
            failed, "",
            "no longer applies; make the same bug in the sources as they are, and write the patch "
                + "again with `git diff -U2`")
    }
}
