import XCTest

@testable import PluginTemplates

/// The files of a new plugin; `NewPluginTests` of EndToEndTests builds them.
final class NewPluginTests: XCTestCase {
    private func plugin(_ kind: PluginKind, in home: PluginHome = .clone) throws -> NewPlugin {
        NewPlugin(try PluginName("StepClip", kind: kind), kind, in: home)
    }

    func testFiles_areInTheFolderOfThePlugin_eachOnce() throws {
        for kind in PluginKind.allCases {
            let plugin = try plugin(kind)
            let paths = plugin.files.map(\.path)
            XCTAssertEqual(Set(paths).count, paths.count)
            XCTAssertTrue(paths.allSatisfy { $0.hasPrefix("plugins/StepClip/") }, "\(paths)")
            for name in ["README.md", "sample.json5"] {
                XCTAssertTrue(paths.contains("plugins/StepClip/\(name)"), "\(kind)")
            }
            for file in plugin.files {
                XCTAssertTrue(file.text.hasSuffix("\n"), file.path)
                XCTAssertFalse(file.text.contains("Optional("), file.path)
                XCTAssertFalse(file.text.contains(" \n"), "\(file.path): a space before a line end")
            }
            XCTAssertEqual(kind == .program, plugin.files.contains(where: \.isExecutable))
            XCTAssertEqual(plugin.edits.isEmpty, kind == .program)
        }
    }

    func testAccess_isThatOfTheHome() throws {
        let kinds: [PluginKind] = [.serialAdapter, .bluetoothAdapter, .sink, .source, .service]
        for kind in kinds {
            for (home, own, other) in [
                (PluginHome.clone, "package ", "public "),
                (.package(command: "mygate"), "public ", "package "),
            ] {
                let sources = try plugin(kind, in: home).files.filter {
                    $0.path.contains("/Sources/")
                }
                let text = sources.map(\.text).joined()
                let words = text.split(separator: "\n")
                    .map { $0.drop { $0 == " " } }
                XCTAssertTrue(words.contains { $0.hasPrefix(own) })
                XCTAssertFalse(words.contains { $0.hasPrefix(other) }, "\(kind) \(home)")
            }
        }
    }

    func testEdits_nameThePluginInEveryList() throws {
        let clone = try plugin(.bluetoothAdapter).edits
        XCTAssertEqual(
            clone.map(\.path),
            ["Package.swift", "Sources/PulsegateBuiltIn/BuiltIn.swift", "README.md"])
        XCTAssertEqual(
            try clone[0].apply(to: "\(PluginHome.cloneTable)\n]\n"),
            "\(PluginHome.cloneTable)\n    (\"StepClip\", [\"Bluetooth\"]),\n]\n")
        XCTAssertEqual(
            try clone[1].apply(to: "import Lines\n\nlet a = Plugins(\n    profiles: [])\n"),
            "import Lines\nimport StepClip\n\nlet a = Plugins(\n    profiles: [StepClipProfile.factory])\n"
        )
        let template = try PackageTemplate(command: "mygate", clone: "../pulsegate")
        var texts = Dictionary(uniqueKeysWithValues: template.files.map { ($0.path, $0.text) })
        for edit in try plugin(.sink, in: .package(command: "mygate")).edits {
            texts[edit.path] = try edit.apply(to: try XCTUnwrap(texts[edit.path], edit.path))
        }
        let main = try XCTUnwrap(texts["Sources/mygate/main.swift"])
        XCTAssertTrue(main.contains("\nimport StepClip\n\nvar plugins = builtIn\n"), main)
        XCTAssertTrue(main.contains("\nplugins.sinks.append(StepClipSink.factory)\n"), main)
        let manifest = try XCTUnwrap(texts["Package.swift"])
        XCTAssertTrue(manifest.contains("= [\n    \"StepClip\",\n]\n"), manifest)
    }

    func testRow_saysThatItIsToBeChanged_asDoesTheLastStep() throws {
        for kind in PluginKind.allCases where kind != .program {
            let plugin = try plugin(kind)
            let table = "## What is built in\n\n| kind | name | reads or writes |\n|---|---|---|\n"
            let rows = try XCTUnwrap(plugin.edits.last).apply(
                to: "\(table)| \(kind.rowTitle) | other | a |\n")
            XCTAssertTrue(rows.contains("[\(plugin.name.use)]"), rows)
            XCTAssertTrue(rows.contains("| an example: say here what it"), rows)
            XCTAssertTrue(plugin.textsToChange.contains("its row in README.md"), "\(kind)")
            let outside = try self.plugin(kind, in: .package(command: "mygate"))
            XCTAssertFalse(outside.textsToChange.contains("its row"), "\(kind)")
        }
        let program = try plugin(.program)
        XCTAssertEqual(program.textsToChange, "plugins/StepClip/README.md")
        XCTAssertTrue(try plugin(.serialAdapter).textsToChange.contains("StepClip/Fixtures"))
    }

    /// `a EarClip` would be wrong, and no text can know the sound of a name.
    func testTexts_haveNoArticleBeforeTheName() throws {
        for kind in PluginKind.allCases {
            for name in ["EarClip", "StepClip"] {
                let plugin = NewPlugin(try PluginName(name, kind: kind), kind, in: .clone)
                for file in plugin.files {
                    for article in ["a", "an", "A", "An"] {
                        XCTAssertFalse(file.text.contains(" \(article) \(name)"), file.path)
                    }
                }
            }
        }
    }

    func testReadme_namesTheTestsOfTheRepository_inAClone() throws {
        for kind in PluginKind.allCases where kind != .program {
            let readme = try XCTUnwrap(plugin(kind).files.first { $0.path.hasSuffix("README.md") })
            for part in [
                "swift test --filter 'RepositoryTests|ManualPageTests|PluginDescriptionTests'",
                "PULSEGATE_UPDATE_MANUAL=1",
                "swift format lint --strict --recursive plugins/StepClip",
            ] { XCTAssertTrue(readme.text.contains(part), "\(kind): \(part)") }
            let outside = try plugin(kind, in: .package(command: "mygate")).files
                .first { $0.path.hasSuffix("README.md") }
            XCTAssertFalse(try XCTUnwrap(outside).text.contains("RepositoryTests"), "\(kind)")
        }
    }

    func testManifest_quotesThePathOfTheClone() throws {
        let template = try PackageTemplate(command: "mygate", clone: "/a \"b\"\\c")
        let manifest = try XCTUnwrap(template.files.first { $0.path == "Package.swift" })
        XCTAssertTrue(manifest.text.contains(#"path: "/a \"b\"\\c")"#), manifest.text)
    }
}
