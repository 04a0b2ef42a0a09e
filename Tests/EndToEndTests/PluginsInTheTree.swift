import Foundation
import GatewayTesting
import Serial
import XCTest

/// New plugins in the tree, as contributors make them: the example of AddADevice.md, that of FirstAdapter.md
/// with all that the page runs, and every kind of plugin that `new` writes.
struct PluginsInTheTree {
    private static let pages = "Sources/GatewayCore/GatewayCore.docc"
    /// The names are as long as they may be: the lines of the templates still fit.
    private static let plugins: [(words: [String], name: String)] = [
        (["adapter", "--transport", "serial"], "FourAndTwentyLettersForA"),
        (["adapter", "--transport", "bluetooth"], "FourAndTwentyLettersForB"),
        (["sink"], "FourAndTwentyLettersForC"), (["source"], "FourAndTwentyLettersForD"),
        (["service"], "FourAndTwentyLettersForE"),
    ]

    /// Adds all of them to a copy of the package, builds it, and runs what the pages run.
    func check(in package: PackageCopy, of home: Home) async throws {
        let example = try DeviceExample(page: Self.text(of: "AddADevice.md"))
        let page = try FirstAdapterPage(page: Self.text(of: "FirstAdapter.md"))
        let build = try PackageBuild(package.path, in: home)
        try await write(page, and: Self.plugins, build)
        try Self.add(example, to: package)
        try Self.add(TypeExample(page: Self.text(of: "AddADevice.md")), to: package)
        let names = ["Beeper", "StepClip", "Wristband"] + Self.plugins.map(\.name)
        try package.keepTests(of: names)

        try await assertSucceeds("swift build --build-tests", build, lacks: "warning:")
        try await assertSucceeds(
            "\(example.testCommand) --skip-build", build, has: "Executed 3 tests, with 0 failures")
        let tests = names.map { "\($0)Tests" }.joined(separator: "|")
        try await assertSucceeds("swift test --skip-build --filter '\(tests)'", build)
        try await assertKnowsItsType(build)
        try await assertTryItWorks("AddASink.md", "sink", "spool", shows: ".json\n", build)
        try await assertTryItWorks("AddAService.md", "service", "dial", shows: "\n", build)
        try await assertCounts(example, "\(package.path)/.build/debug/pulsegate", in: home)
        try await assertDescribesAndReplays(Self.plugins.map(\.name) + ["StepClip"], build)
        try await assertPageWorks(page, build)
        try await assertFinding(of: page, in: package, build)
    }

    // MARK: Making

    /// Runs the command of the page and those of all other kinds, and lints what they have written.
    private func write(
        _ page: FirstAdapterPage, and plugins: [(words: [String], name: String)],
        _ build: PackageBuild
    ) async throws {
        // The built command does the same as the one that `swift run` would build first.
        let command = try Home.commandPath()
        let script = page.writing.replacingOccurrences(of: "swift run pulsegate", with: command)
        try await assertSucceeds(script, build, has: "\nchanged Package.swift\n")
        for (words, name) in plugins {
            let action = ([words[0], name] + words.dropFirst()).joined(separator: " ")
            try await assertSucceeds(
                "\(command) new \(action)", build, has: "created plugins/\(name)/")
        }
        // Only what was written: another plugin of the tree may not be finished.
        let folders = (plugins.map(\.name) + ["StepClip"]).map { "plugins/\($0)" }
        let edited = ["Package.swift", "Sources/PulsegateBuiltIn/BuiltIn.swift"] + folders
        try await assertSucceeds(
            "swift format lint --strict --parallel --recursive \(edited.joined(separator: " "))",
            build)
    }

    /// Does what AddADevice.md says.
    private static func add(_ example: DeviceExample, to package: PackageCopy) throws {
        for file in example.files {
            try package.write(file.text, to: "\(example.folder)/\(file.path)")
        }
        try package.edit("plugins/Lines/Sources/LinePreset+Table.swift") {
            try $0.adding(example.preset, behind: "table: [LinePreset] = [\n")
        }
        try package.edit("Sources/PulsegateBuiltIn/BuiltIn.swift") {
            try $0.adding("\(example.importLine)\n", behind: "import Exec\n")
                .adding("\(example.entry), ", behind: "serialProtocols: [")
        }
        try package.edit("Package.swift") {
            try $0.adding("    \(example.tableLine)\n", behind: "[Target.Dependency])] = [\n")
        }
    }

    /// Adds the plugin with a type of its own.
    private static func add(_ example: TypeExample, to package: PackageCopy) throws {
        let folder = TypeExample.folder
        try package.write(example.profile, to: "\(folder)/Sources/WristbandProfile.swift")
        try package.write(example.tests, to: "\(folder)/Tests/WristbandTests.swift")
        try package.edit("Sources/PulsegateBuiltIn/BuiltIn.swift") {
            try $0.adding("import Wristband\n", behind: "import WeightScale\n")
                .adding("\(example.profileEntry), ", behind: "    profiles: [\n        ")
                .adding(example.typeEntry, behind: "    types: [")
        }
        try package.edit("Package.swift") {
            try $0.adding("    \(TypeExample.tableLine)\n", behind: "[Target.Dependency])] = [\n")
        }
    }

    // MARK: AddADevice.md

    /// The simulator, a source without a list of profiles and `plugins` know the type of the plugin.
    private func assertKnowsItsType(_ build: PackageBuild) async throws {
        let command = ".build/debug/pulsegate"
        let data = build.home.folder.path("types")
        for source in [
            #"{ use: "simulator" }"#, #"{ use: "bluetooth", devices: "any" }"#,
            #"{ use: "bluetooth", devices: "any", profiles: ["wristband"] }"#,
        ] {
            let text = #"{ dataDirectory: "\#(data)", sources: { a: \#(source) } }"#
            try text.write(
                toFile: "\(build.package)/types.json5", atomically: true, encoding: .utf8)
            try await assertSucceeds("\(command) check --config types.json5", build)
        }
        try await assertSucceeds(
            "\(command) run --simulate --for 3 --config types.json5", build, has: "heartRate")
        try await assertSucceeds(
            "\(command) plugins wristband", build,
            has: "wristbandTemperature   discreteArithmetic, in degC")
        let twice =
            #"{ types: { wristbandTemperature: { aggregationStyle: "cumulative", unit: "m" } } }"#
        try twice.write(toFile: "\(build.package)/twice.json5", atomically: true, encoding: .utf8)
        let outcome = try await build.runScript("\(command) check --config twice.json5")
        XCTAssertTrue(
            outcome.output.contains("the plugin Wristband declares the type"), outcome.output)
    }

    /// Runs the section "Try it" of a page with the plugin of `new` in place of that of the page.
    private func assertTryItWorks(
        _ name: String, _ kind: String, _ use: String, shows output: String, _ build: PackageBuild
    ) async throws {
        let page = try Self.text(of: name).components(separatedBy: "\n## Try it\n")
        let parts = try XCTUnwrap(page.last).components(separatedBy: "```")
        XCTAssertEqual(page.count, 2, name)
        let (configuration, script) = (parts[1].dropFirst("json5\n".count), parts[3].dropFirst(3))
        let (folder, data) = ("/tmp/first-\(kind)", build.home.folder.path("first-\(kind)"))
        let own = try XCTUnwrap(Self.plugins.first { $0.words == [kind] }).name
        XCTAssertTrue(configuration.contains("\"\(use)\"") && script.contains(folder), name)
        try configuration.replacingOccurrences(of: folder, with: data)
            .replacingOccurrences(of: use, with: own.prefix(1).lowercased() + own.dropFirst())
            .write(
                toFile: "\(build.package)/first-\(kind).json5", atomically: true, encoding: .utf8)
        try await assertSucceeds(
            script.replacingOccurrences(of: folder, with: data), build, has: output)
    }

    /// Runs the command with the new protocol and the new preset, each on a port.
    private func assertCounts(
        _ example: DeviceExample, _ command: String, in home: Home
    ) async throws {
        let (beeper, counter) = (try PseudoTerminal(), try PseudoTerminal())
        let name = try XCTUnwrap(example.preset.split(separator: "\"").dropFirst().first)
        try home.configure(
            """
            { sources: {
                beeper: { use: "serial", port: { path: "\(beeper.slavePath)" }, \(example.setting) },
                counter: { use: "serial", port: { path: "\(counter.slavePath)" },
                           protocol: { use: "lines", preset: "\(name)" } } },
              sinks: { lines: "stdout" } }
            """)
        let gateway = try RunningCommand(
            [command, "run"], in: home.folder, environment: home.environment, output: .pipe)
        for source in ["beeper", "counter"] {
            try await gateway.waitForLines(with: "\(source): connected", on: .error)
        }
        try beeper.write(Array("##x###".utf8))
        try counter.write(Array("count=7\ncount=9\n".utf8))
        // One for each step of the beeper, one for the other counter.
        try await gateway.waitForLines(6, with: #""type":"stepCount""#, on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let steps = await gateway.lines(of: .output, with: #""type":"stepCount""#)
        for (source, count, value) in [("beeper", 5, 1), ("counter", 1, 2)] {
            let own = steps.filter { $0.contains(#""source":{"name":"\#(source)""#) }
            XCTAssertEqual(own.count, count, "\(steps)")
            XCTAssertTrue(own.allSatisfy { $0.contains(#""value":\#(value),"#) }, "\(own)")
        }
    }

    // MARK: Plugins of `new`

    /// Compares descriptions with samples, and replays of fixtures with their records.
    private func assertDescribesAndReplays(_ names: [String], _ build: PackageBuild) async throws {
        let command = ".build/debug/pulsegate"
        for name in names {
            let folder = "plugins/\(name)"
            let use = name.prefix(1).lowercased() + name.dropFirst()
            try await assertSucceeds("\(command) check --config \(folder)/sample.json5", build)
            let sample = try String(
                contentsOfFile: "\(build.package)/\(folder)/sample.json5", encoding: .utf8)
            try await assertSucceeds("\(command) plugins \(use)", build, has: "\n\n\(sample)")
            let fixtures = "\(build.package)/\(folder)/Fixtures"
            for fixture in (try? FileManager.default.contentsOfDirectory(atPath: fixtures)) ?? [] {
                try await assertSucceeds(
                    "\(command) replay \(folder)/Fixtures/\(fixture)/capture --speed max "
                        + "2> /dev/null | diff - \(folder)/Fixtures/\(fixture)/expected.ndjson",
                    build)
            }
        }
    }

    // MARK: FirstAdapter.md

    /// Runs the blocks of the page, with the path of the real pseudo-terminal.
    private func assertPageWorks(_ page: FirstAdapterPage, _ build: PackageBuild) async throws {
        try await assertSucceeds(page.testing, build, has: "stepClip: serial protocol")
        let device = try RunningCommand(
            ["/bin/sh", "-c", "exec \(page.device)"], in: build.home.folder,
            environment: ["PATH": "/usr/bin:/bin"], output: .pipe)
        try await device.waitForLines(with: "/dev/pts/", on: .output)
        let lines = await device.lines(of: .output, with: "/dev/pts/")
        let path = try XCTUnwrap(lines.first).trimmingCharacters(in: .whitespaces)
        let configuration = page.configuration
            .replacingOccurrences(of: "/dev/pts/7", with: path)
            .replacingOccurrences(of: "/tmp/first-adapter", with: build.home.folder.path("first"))
        XCTAssertTrue(configuration.contains(path), configuration)
        try configuration.write(
            toFile: "\(build.package)/first.json5", atomically: true, encoding: .utf8)
        try await assertSucceeds(page.running, build)
        let csv = try await build.run(
            ".build/debug/pulsegate query stepCount --config first.json5 --format csv")
        let values = csv.output.split(separator: "\r\n").dropFirst().map {
            $0.split(separator: ",")[4]
        }
        XCTAssertFalse(values.isEmpty, csv.output)
        XCTAssertTrue(values.allSatisfy { Int($0) ?? 0 > 0 }, csv.output)
        await device.send(SIGTERM)
        _ = try await device.waitForEnd(within: 10)
    }

    /// Makes the mistake of the page, and finds what the page says.
    private func assertFinding(
        of page: FirstAdapterPage, in package: PackageCopy, _ build: PackageBuild
    ) async throws {
        try package.edit("plugins/StepClip/Sources/StepClipAdapter.swift") {
            try $0.adding("splitter.reset()\n", behind: "var pieces: [FrameSplitter.Piece] = []\n")
        }
        let (ending, output) = try await build.run("swift test --filter StepClipTests")
        XCTAssertNotEqual(ending, .exited(0))
        XCTAssertTrue(output.contains(page.finding), String(output.suffix(4_000)))
    }

    /// Runs a script in the package that must end with status 0.
    private func assertSucceeds(
        _ script: String, _ build: PackageBuild, has part: String = "", lacks: String? = nil,
        line: UInt = #line
    ) async throws {
        let (ending, output) = try await build.runScript(script)
        let problems = lacks.map { word in
            output.split(separator: "\n").filter { $0.contains(word) }
        }
        let isRight = ending == .exited(0) && (part.isEmpty || output.contains(part))
        guard isRight, problems?.isEmpty != false else {
            let found = isRight ? problems?.joined(separator: "\n") : nil
            let text = found ?? String(output.suffix(6_000))
            XCTFail("`\(script)`: \(ending) \(text)", line: line)
            throw DeviceExample.Missing(description: "`\(script)` failed")
        }
    }

    private static func text(of name: String) throws -> String {
        try String(contentsOfFile: "\(PackageBuild.root)/\(pages)/\(name)", encoding: .utf8)
    }
}
