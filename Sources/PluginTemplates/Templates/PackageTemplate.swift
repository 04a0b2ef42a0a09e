/// A package outside the tree, without plugins: its manifest, its command, and the tests of all plugins.
package struct PackageTemplate: Hashable, Sendable {
    /// The longest name of a command, in characters.
    private static let lengthLimit = 60

    /// The name of the package and of its command.
    package let command: String
    /// The path of the clone of Pulsegate, absolute or from the folder of the package.
    let clone: String

    /// - Throws: ``PackageNameError`` when the package cannot have the name.
    package init(command: String, clone: String) throws(PackageNameError) {
        let isPlain = command.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
        }
        guard isPlain, command.first?.isLetter == true, command.count <= Self.lengthLimit,
            !["pulsegate", "tests", "plugins"].contains(command.lowercased())
        else { throw PackageNameError(name: command) }
        self.command = command
        self.clone = clone
    }

    /// The files.
    package var files: [TemplateFile] {
        [
            TemplateFile(".gitignore", ".build/\n"),
            TemplateFile(".swift-format", Self.format),
            TemplateFile("Package.swift", manifest),
            TemplateFile("README.md", readme),
            TemplateFile("Sources/\(command)/main.swift", main),
            TemplateFile("Tests/PluginTests/PluginTests.swift", tests),
        ]
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        /// The plugins: a line for each folder in plugins/.
        \(PluginHome.packageTable)
        ]

        let settings: [SwiftSetting] = [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
        let kit = Target.Dependency.product(name: "PulsegateKit", package: "pulsegate")
        let testing = Target.Dependency.product(name: "PulsegateTesting", package: "pulsegate")
        let earlyStart = Target.Dependency.product(name: "PulsegateEarlyStart", package: "pulsegate")

        /// A folder of plugins: its sources and its tests.
        func targets(ofPlugin name: String) -> [Target] {
            [
                .target(
                    name: name, dependencies: [kit], path: "plugins/\\(name)/Sources",
                    swiftSettings: settings),
                .testTarget(
                    name: "\\(name)Tests", dependencies: [.target(name: name), kit, testing],
                    path: "plugins/\\(name)/Tests", swiftSettings: settings),
            ]
        }

        let package = Package(
            name: "\(command)",
            dependencies: [
                .package(
                    name: "pulsegate",
                    path: "\(clone.swiftEscaped)")
            ],
            targets: [
                .executableTarget(
                    name: "\(command)",
                    dependencies: plugins.map { .target(name: $0) } + [kit, earlyStart],
                    swiftSettings: settings),
                // They run the command itself, which every build makes.
                .testTarget(name: "PluginTests", dependencies: [testing], swiftSettings: settings),
            ] + plugins.flatMap { targets(ofPlugin: $0) }
        )

        """
    }

    /// The settings of `swift format`: those of Pulsegate.
    private static let format = """
        {
          "version": 1,
          "lineLength": 100,
          "indentation": { "spaces": 4 },
          "maximumBlankLines": 1,
          "respectsExistingLineBreaks": true,
          "lineBreakBeforeEachArgument": false,
          "rules": {
            "AllPublicDeclarationsHaveDocumentation": true,
            "BeginDocumentationCommentWithOneLineSummary": true,
            "NeverForceUnwrap": true,
            "NeverUseForceTry": true,
            "NeverUseImplicitlyUnwrappedOptionals": true,
            "NoBlockComments": true,
            "OrderedImports": true,
            "UseTripleSlashForDocumentationComments": true
          }
        }

        """

    private var main: String {
        """
        import GatewayHost
        import PulsegateBuiltIn
        import PulsegateCommand

        var plugins = builtIn

        PulsegateCommand.main(plugins: plugins, contract: .version1)

        """
    }

    private var tests: String {
        #"""
        import Foundation
        import GatewayTesting
        import XCTest

        /// The folders of all plugins: what they say is what the command does.
        final class PluginTests: XCTestCase {
            private static let plugins = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../plugins").standardized

            private func home() throws -> Home {
                var home = try Home()
                home.commandName = "\#(command)"
                return home
            }

            private func folders(in folder: URL) -> [URL] {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                return names.sorted().map { folder.appendingPathComponent($0) }
            }

            /// An entry of `plugins --json`.
            private struct Entry: Decodable {
                let sample: String?
            }

            func testSamples_areConfigurationsThatTheCommandShows() async throws {
                let home = try home()
                let output = try await home.run("plugins", "--json").output
                let entries = try JSONDecoder().decode([Entry].self, from: Data(output.utf8))
                for plugin in folders(in: Self.plugins) {
                    let file = plugin.appendingPathComponent("sample.json5")
                    let sample = try String(contentsOf: file, encoding: .utf8)
                    // A folder without sources has a program, which the command does not describe.
                    let isProgram = !FileManager.default.fileExists(
                        atPath: plugin.appendingPathComponent("Sources").path)
                    XCTAssertTrue(
                        isProgram || entries.contains { $0.sample == sample },
                        "\(file.path): no description (`about:`) has this sample")
                    try home.configure(sample)
                    let check = try await home.run("check")
                    XCTAssertEqual(check.ending, .exited(0), "\(file.path): \(check.error)")
                }
            }

            /// Replays every capture; `PULSEGATE_UPDATE_FIXTURES=1` writes its records instead.
            func testFixtures_makeTheirExpectedRecords() async throws {
                let home = try home()
                let isUpdate = ProcessInfo.processInfo.environment["PULSEGATE_UPDATE_FIXTURES"] == "1"
                for plugin in folders(in: Self.plugins) {
                    for fixture in folders(in: plugin.appendingPathComponent("Fixtures")) {
                        let capture = fixture.appendingPathComponent("capture").path
                        let expected = fixture.appendingPathComponent("expected.ndjson")
                        let replay = try await home.run("replay", capture, "--speed", "max")
                        XCTAssertEqual(replay.ending, .exited(0), "\(capture): \(replay.error)")
                        if isUpdate {
                            try replay.output.write(to: expected, atomically: true, encoding: .utf8)
                        }
                        let records = try String(contentsOf: expected, encoding: .utf8)
                        XCTAssertEqual(replay.output, records, expected.path)
                    }
                }
            }
        }

        """#
    }

    private var readme: String {
        """
        # \(command)

        Plugins for [Pulsegate](\(clone)), and a gateway with them and all that is built in.

        ```sh
        swift test
        swift run \(command) plugins
        swift run \(command) run --simulate --for 5
        ```

        The first build takes some minutes. Each plugin has a folder in `plugins`, a line in the table at the top of `Package.swift`, and a line in
        `Sources/\(command)/main.swift`. `pulsegate new`, run in this folder, adds another one.

        """
    }
}

/// The reason why a package cannot have the name of its folder.
package struct PackageNameError: Error, Equatable, CustomStringConvertible {
    let name: String

    package var description: String {
        "`\(name)` cannot be the name of a package, which is that of its folder; use letters, digits, "
            + "`-` and `_`, and not `pulsegate`"
    }
}

extension String {
    /// The text with the characters escaped that end a string literal in Swift.
    fileprivate var swiftEscaped: String {
        reduce(into: "") { text, character in
            if "\\\"".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}
