import Foundation
import XCTest

/// Tests that the files, folders, headings and commands named in the Markdown pages exist.
final class PagesTests: XCTestCase {
    /// The example plugins of AddADevice.md and FirstAdapter.md.
    private static let exampleNames = ["Beeper", "StepClip", "Wristband"]

    private struct Page {
        /// The path from the root.
        let path: String
        let text: String
        let markdown: MarkdownPage

        var folder: String { (path as NSString).deletingLastPathComponent }

        init(path: String, text: String) {
            (self.path, self.text) = (path, text)
            markdown = MarkdownPage(text)
        }
    }

    /// The entries of the root, without those of git and of builds.
    private func topLevel() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
        return Set(names.filter { $0 != ".git" && !$0.hasPrefix(".build") })
    }

    private func files() throws -> [String] {
        var files: [String] = []
        for name in try topLevel() {
            files.append(name)
            if Self.isFolder(name) { files += try Repository.paths(in: name) }
        }
        return files
    }

    private func pages() throws -> [Page] {
        let pages = try files().filter { $0.hasSuffix(".md") }.sorted().map { path in
            let file = Repository.root.appending(path: path)
            return Page(path: path, text: try String(contentsOf: file, encoding: .utf8))
        }
        XCTAssertGreaterThan(pages.count, 10)
        return pages
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let file = Repository.root.appending(path: path).path
        return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// The path from the root of a target named in a page of a folder.
    private static func resolve(_ target: String, in folder: String) -> String {
        if target.hasPrefix("/") { return String(target.dropFirst()) }
        var parts = folder.split(separator: "/")
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    // MARK: Links

    func testLinks_leadSomewhere() throws {
        for page in try pages() {
            for link in page.markdown.links where !link.contains(":") {
                let parts = link.split(
                    separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let path =
                    parts[0].isEmpty
                    ? page.path : Self.resolve(String(parts[0]), in: page.folder)
                XCTAssertTrue(Self.exists(path), "\(page.path): \(link)")
                guard parts.count == 2, path.hasSuffix(".md"), Self.exists(path) else { continue }
                let file = Repository.root.appending(path: path)
                let target = MarkdownPage(try String(contentsOf: file, encoding: .utf8))
                XCTAssertTrue(target.anchors.contains(String(parts[1])), "\(page.path): \(link)")
            }
        }
    }

    // MARK: Paths

    /// Whether inline code is clearly a path in this repository.
    private static func isPath(_ code: String, _ topLevel: Set<String>) -> Bool {
        guard !exampleNames.contains(where: code.contains),
            code.allSatisfy({ $0.isLetter || $0.isNumber || "+-_./".contains($0) })
        else { return false }
        let parts = code.split(separator: "/")
        // NAME is a placeholder for any name.
        guard !parts.contains(where: { $0.contains("NAME") }) else { return false }
        if code.hasSuffix(".swift") { return parts.last != ".swift" }
        return !code.hasPrefix("/") && parts.count > 1 && topLevel.contains(String(parts[0]))
    }

    func testPaths_exist() throws {
        let (files, topLevel) = (try files(), try topLevel())
        for page in try pages() {
            for span in page.markdown.spans where Self.isPath(String(span), topLevel) {
                let path = span.hasSuffix("/") ? String(span.dropLast()) : String(span)
                // A file may be named without its folders.
                let isThere =
                    Self.exists(path) || Self.exists(Self.resolve(path, in: page.folder))
                    || (path.hasSuffix(".swift") && files.contains { $0.hasSuffix("/\(path)") })
                XCTAssertTrue(isThere, "\(page.path): \(path)")
            }
        }
    }

    func testIsPath_onlyWhatIsOneHere() {
        let topLevel: Set = ["Sources", ".ci", "README.md"]
        for path in ["Sources/JSON", "Sources/JSON/", ".ci/run", "Foo.swift", "A/Foo+Bar.swift"] {
            XCTAssertTrue(Self.isPath(path, topLevel), path)
        }
        for other in [
            "/dev/ttyUSB0", "plugins/*", "Sources/NAME/", "README.md", "count/min", "a b.swift",
            ".build/release/pulsegate", "Sources/…", ".swift", "/Sources/JSON",
        ] {
            XCTAssertFalse(Self.isPath(other, topLevel), other)
        }
    }

    // MARK: Commands

    private func commands() throws -> CommandNames {
        let files = try ["PulsegateCommand", "WorkoutCommands"].flatMap {
            try Repository.swiftFiles(in: "Sources/\($0)")
        }
        return CommandNames(sources: files.map { $0.lines.joined(separator: "\n") })
    }

    func testCommands_exist() throws {
        let commands = try commands()
        for page in try pages() {
            let spans = page.markdown.spans.map { (text: $0, isAnywhere: true) }
            let lines = page.markdown.codeLines.map { (text: $0.text, isAnywhere: $0.isFenced) }
            for code in spans + lines {
                let unknown = commands.unknown(in: code.text, isAnywhere: code.isAnywhere)
                XCTAssertEqual(unknown, [], "\(page.path): \(code.text)")
            }
        }
    }

    func testCommandNames_areThoseOfTheCommand() throws {
        let names = try commands().names
        let some: Set = [
            "run", "status", "query", "workout start", "workout pause", "workout list",
        ]
        XCTAssertEqual(some.subtracting(names), [])
    }

    func testUnknown_findsWhatDoesNotExist() throws {
        let commands = try commands()
        for line in [
            "pulsegate fly", "sudo pulsegate fly --json", "swift run pulsegate fly # away",
            "X=1 pulsegate fly", "cat a | .build/release/pulsegate fly",
            "ExecStart=/bin/pulsegate fly", "$ pulsegate fly", "$(pulsegate fly)",
            "P=a/pulsegate pulsegate fly",
        ] {
            XCTAssertEqual(commands.unknown(in: line, isAnywhere: true), ["fly"], line)
        }
        XCTAssertEqual(
            commands.unknown(in: "pulsegate workout fly", isAnywhere: true), ["workout fly"])
        for line in [
            "pulsegate", "pulsegate status.", "pulsegate --version", "pulsegate COMMAND --help",
            "pulsegate workout ACTION", "pulsegate workout lap", "cp pulsegate somewhere",
            "systemctl restart pulsegate now", "pulsegate …", "pkill -HUP pulsegate",
        ] {
            XCTAssertEqual(commands.unknown(in: line, isAnywhere: true), [], line)
        }
        XCTAssertEqual(commands.unknown(in: "then pulsegate reads it", isAnywhere: false), [])
    }
}
