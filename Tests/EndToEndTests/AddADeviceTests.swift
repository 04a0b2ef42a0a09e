import Foundation
import GatewayTesting
import Serial
import XCTest

/// The example of a new device in AddADevice.md does what the page says: it builds, its tests pass, and
/// it counts.
///
/// It is done in a copy of the package, with a build folder of its own. The copy has no tests but the
/// example's, because those of the package take as long to build again as all the rest.
final class AddADeviceTests: XCTestCase {
    private static let page = "Sources/GatewayCore/GatewayCore.docc/AddADevice.md"

    func testExample_buildsPassesItsTestsAndCountsSteps() async throws {
        let example = try DeviceExample(page: Self.text(of: Self.page))
        let home = try Home()
        let package = try Self.copyPackage(to: home.folder)
        try Self.add(example, to: package)
        let build = try PackageBuild(package, in: home)
        let (ending, output) = try await build.run(example.testCommand)
        guard ending == .exited(0), output.contains("Executed 3 tests, with 0 failures") else {
            return XCTFail("`\(example.testCommand)`: \(ending) \(output.suffix(4_000))")
        }
        try await assertCounts(example, "\(package)/.build/debug/pulsegate", in: home)
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

    /// Does what the page says, and leaves all other tests out.
    private static func add(_ example: DeviceExample, to package: String) throws {
        for file in example.files {
            let path = "\(package)/\(example.folder)/\(file.path)"
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent,
                withIntermediateDirectories: true)
            try file.text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        try edit("\(package)/plugins/Lines/Sources/LinePreset+Table.swift") {
            try $0.adding(example.preset, behind: "table: [LinePreset] = [\n")
        }
        try edit("\(package)/Sources/PulsegateBuiltIn/BuiltIn.swift") {
            try "\(example.importLine)\n\($0)"
                .adding("\(example.entry), ", behind: "serialProtocols: [")
        }
        let test = (example.folder as NSString).lastPathComponent + "Tests"
        try edit("\(package)/Package.swift") {
            try $0.adding("    \(example.tableLine)\n", behind: "[Target.Dependency])] = [\n")
                .adding(
                    ".filter { $0.type != .test || $0.name == \"\(test)\" }",
                    behind: "\n    targets: targets")
        }
    }

    private static func edit(_ path: String, _ change: (String) throws -> String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try change(text).write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Copies what a build needs, without what was built.
    private static func copyPackage(to folder: TemporaryFolder) throws -> String {
        let package = try folder.makeFolder("package")
        try folder.makeFolder("package/Tests")
        for name in ["Package.swift", "Sources", "plugins", "Tests/WrongPlugins"] {
            try FileManager.default.copyItem(
                atPath: "\(PackageBuild.root)/\(name)", toPath: "\(package)/\(name)")
        }
        return package
    }

    private static func text(of name: String) throws -> String {
        try String(contentsOfFile: "\(PackageBuild.root)/\(name)", encoding: .utf8)
    }
}

extension String {
    /// The text with more of it behind a place that must be there once.
    fileprivate func adding(_ more: String, behind place: String) throws -> String {
        let parts = components(separatedBy: place)
        guard parts.count == 2 else {
            throw DeviceExample.Missing(description: "`\(place)` is there \(parts.count - 1) times")
        }
        return parts[0] + place + more + parts[1]
    }
}
