import Foundation
import GatewayHost
import GatewayTesting
import PluginTemplates
import XCTest

@testable import PluginPlans

/// What `new` decides before it writes: the place, the name, the lists.
final class NewPluginPlanTests: XCTestCase {
    /// A folder that has the lists of a clone.
    private func makeClone(_ folder: TemporaryFolder) throws -> String {
        for path in [
            "Sources/PulsegateBuiltIn", "Sources/CLibraries/CPty", "plugins/Lines", "Tests",
        ] {
            try folder.makeFolder("clone/\(path)")
        }
        for (path, text) in [
            ("Package.swift", "\(PluginHome.cloneTable)\n    (\"Lines\", [\"Serial\"]),\n]\n"),
            (
                "Sources/PulsegateBuiltIn/BuiltIn.swift",
                "import Lines\n\nlet all = Plugins(\n    profiles: [],\n    serialProtocols: [],\n"
                    + "    sources: [],\n    sinks: [])\n"
            ),
            ("README.md", "## What is built in\n\n| kind |\n|---|\n| sink |\n"),
        ] {
            try folder.write(Array(text.utf8), to: "clone/\(path)")
        }
        return folder.path("clone")
    }

    private func plan(
        _ name: String = "StepClip", _ kind: PluginKind = .serialAdapter, in directory: String?,
        clone: String? = nil
    ) throws -> NewPluginPlan {
        try NewPluginPlan(
            name: name, kind: kind, directory: directory, clone: clone, uses: ["lines", "sqlite"])
    }

    private func assertRefused(
        _ expected: String, status: ExitStatus = .usage, line: UInt = #line,
        _ plan: () throws -> NewPluginPlan
    ) {
        XCTAssertThrowsError(try plan(), line: line) {
            let error = $0 as? HostError
            XCTAssertEqual(error?.status, status, line: line)
            XCTAssertTrue(error?.message.contains(expected) ?? false, "\($0)", line: line)
        }
    }

    func testClone_isFoundFromAFolderInIt() throws {
        let folder = try TemporaryFolder()
        let root = try makeClone(folder)
        for start in [root, "\(root)/plugins/Lines", "\(root)/."] {
            let plan = try plan(in: start)
            XCTAssertEqual(plan.changes.root, root)
            XCTAssertEqual(
                plan.changes.edits.map(\.path),
                ["Package.swift", "Sources/PulsegateBuiltIn/BuiltIn.swift", "README.md"])
            XCTAssertTrue(
                plan.report(isDry: false).contains("\ncreated plugins/StepClip/sample.json5\n"))
            let dry = plan.report(isDry: true)
            XCTAssertTrue(dry.contains("would create plugins/StepClip/sample.json5\n"), dry)
            XCTAssertTrue(dry.contains("\nwould change README.md\n"), dry)
            XCTAssertFalse(dry.contains("created") || dry.contains("changed"), dry)
            XCTAssertTrue(
                plan.report(isDry: false).contains(
                    """
                    changed README.md

                    Next, in \(root):
                      swift test --filter StepClipTests
                      swift format lint --strict --recursive plugins/StepClip
                      swift run pulsegate plugins stepClip
                      swift run pulsegate check --config plugins/StepClip/sample.json5

                    """), plan.report(isDry: false))
        }
    }

    func testName_thatIsTaken_isRefused() throws {
        let folder = try TemporaryFolder()
        let root = try makeClone(folder)
        for (name, expected) in [
            ("Lines", "has `Lines` already"), ("lines", "did you mean `Lines`?"),
            ("CPty", "has `CPty` already"), ("Cpty", "has `CPty` already"),
            ("PulsegateBuiltIn", "has `PulsegateBuiltIn` already"),
            ("Sqlite", "`sqlite` is built in already"), ("Foundation", "a module of the system"),
        ] {
            assertRefused(expected) { try plan(name, in: root) }
        }
    }

    func testFolder_thatIsThereAlready_isRefused() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("StepClip")
        assertRefused("StepClip exists already; use another name") {
            try plan("StepClip", .program, in: folder.path)
        }
    }

    func testDirectory_outsideOfAClone_isRefused() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Array("let package = Package(name: \"other\")\n".utf8), to: "Package.swift")
        assertRefused("is not in a clone of Pulsegate; change into one") {
            try plan(in: folder.path)
        }
        assertRefused("No such file or directory", status: .failure) {
            try plan(in: folder.path("nowhere"))
        }
        assertRefused("it is not a folder", status: .failure) {
            try plan(in: folder.path("Package.swift"))
        }
    }

    func testOddList_isRefusedBeforeAnythingIsWritten() throws {
        for (path, text, expected) in [
            (
                "Sources/PulsegateBuiltIn/BuiltIn.swift", "import A\n",
                "`serialProtocols: [` is there 0"
            ),
            ("README.md", "# Other\n", "`## What is built in` is there 0 times"),
            ("Package.swift", "\(PluginHome.cloneTable)\n", "has no end"),
        ] {
            let folder = try TemporaryFolder()
            let root = try makeClone(folder)
            try folder.write(Array(text.utf8), to: "clone/\(path)")
            assertRefused(expected, status: .failure) { try plan(in: root) }
            try folder.remove("clone/\(path)")
            if path != "Package.swift" {
                assertRefused("no such file", status: .failure) { try plan(in: root) }
            }
        }
    }

    func testProgram_isAFolderAnywhere_andInAClonePartOfPlugins() throws {
        let folder = try TemporaryFolder()
        let outside = try plan("FootPod", .program, in: folder.path)
        XCTAssertEqual(outside.changes.root, folder.path)
        XCTAssertTrue(outside.changes.files.allSatisfy { $0.path.hasPrefix("FootPod/") })
        let root = try makeClone(folder)
        let inside = try plan("FootPod", .program, in: "\(root)/Sources")
        XCTAssertEqual(inside.changes.root, root)
        XCTAssertTrue(inside.changes.files.allSatisfy { $0.path.hasPrefix("plugins/FootPod/") })
        XCTAssertTrue(inside.changes.edits.isEmpty)
        assertRefused("a program needs no package") {
            try plan("FootPod", .program, in: folder.path("new"), clone: root)
        }
    }

    func testPackage_isNewAndThenHasAnotherPlugin() throws {
        let folder = try TemporaryFolder()
        let root = try makeClone(folder)
        let new = try plan(in: folder.path("mygate"), clone: root)
        XCTAssertEqual(new.changes.root, folder.path("mygate"))
        let manifest = try XCTUnwrap(new.changes.files.first { $0.path == "Package.swift" })
        XCTAssertTrue(manifest.text.contains("    \"StepClip\",\n"))
        XCTAssertTrue(manifest.text.contains("path: \"\(root)\""), manifest.text)
        try new.changes.apply()
        let second = try plan("Spool", .sink, in: folder.path("mygate/plugins"))
        XCTAssertEqual(second.changes.root, folder.path("mygate"))
        XCTAssertEqual(
            second.changes.edits.map(\.path), ["Package.swift", "Sources/mygate/main.swift"])
        assertRefused("has `StepClip` already") { try plan(in: folder.path("mygate")) }
        let program = try plan("FootPod", .program, in: folder.path("mygate"))
        XCTAssertEqual(program.changes.root, folder.path("mygate"))
        XCTAssertTrue(program.changes.files.allSatisfy { $0.path.hasPrefix("plugins/FootPod/") })
        XCTAssertTrue(program.changes.edits.isEmpty)
        XCTAssertTrue(
            program.report(isDry: false).contains("  swift run mygate check --config plugins/"))
        assertRefused("has `.gitignore` in it; use an empty or a new folder") {
            try plan("Spool", .sink, in: folder.path("mygate"), clone: root)
        }
    }

    func testPath_fromOneFolderToAnother() {
        for (folder, target, path) in [
            ("/home/a/mygate", "/home/a/pulsegate", "../pulsegate"),
            ("/home/a/b/mygate", "/home/pulsegate", "../../../pulsegate"),
            ("/mygate", "/home/pulsegate", "../home/pulsegate"),
            ("/home/pulsegate/mygate", "/home/pulsegate", ".."),
            ("/home/pulse", "/home/pulsegate", "../pulsegate"),
        ] {
            XCTAssertEqual(NewPackagePlace.path(from: folder, to: target), path)
        }
    }

    func testPackage_inAFolderThatCannotHaveIt_isRefused() throws {
        let folder = try TemporaryFolder()
        let root = try makeClone(folder)
        try folder.makeFolder("git/.git")
        XCTAssertNoThrow(try plan(in: folder.path("git"), clone: root))
        for (name, expected) in [
            ("my gate", "cannot be the name of a package"),
            ("pulsegate", "cannot be the name of a package"),
            ("lines", "Pulsegate has a module `lines`"),
        ] {
            assertRefused(expected) { try plan(in: folder.path(name), clone: root) }
        }
        assertRefused("has `StepClip` already") {
            try plan(in: folder.path("StepClip"), clone: root)
        }
        assertRefused("is not a clone of Pulsegate") {
            try plan(in: folder.path("new"), clone: folder.path)
        }
        assertRefused("is not a clone of Pulsegate") {
            try plan(in: folder.path("new"), clone: "\(root)/Sources")
        }
        assertRefused("No such file or directory", status: .failure) {
            try plan(in: folder.path("new/below"), clone: root)
        }
    }
}
