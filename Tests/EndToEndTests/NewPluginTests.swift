import Foundation
import GatewayTesting
import Serial
import XCTest

/// `new` without a build: what it prints, what it refuses, and the program that it writes.
///
/// `PackageTests` builds the plugins that it writes.
final class NewPluginTests: XCTestCase {
    /// A home with the files of this repository that `new` reads.
    private func homeWithClone() throws -> (home: Home, clone: String) {
        let home = try Home()
        let clone = try home.folder.makeFolder("clone")
        try home.folder.makeFolder("clone/Sources/PulsegateBuiltIn")
        for name in [
            "Package.swift", "README.md", "Sources/PulsegateBuiltIn/BuiltIn.swift", "plugins",
        ] {
            try FileManager.default.copyItem(
                atPath: "\(PackageBuild.root)/\(name)", toPath: "\(clone)/\(name)")
        }
        return (home, clone)
    }

    private func paths(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    func testDryRun_printsTheSameAndWritesNothing() async throws {
        let (home, clone) = try homeWithClone()
        let before = try paths(in: clone)
        let words = ["new", "sink", "Spool", "--directory", clone]
        let dry = try await home.run(words + ["--dry-run"])
        XCTAssertEqual(dry.ending, .exited(0), dry.error)
        XCTAssertEqual(try paths(in: clone), before)
        XCTAssertTrue(dry.error.contains("nothing was written because of --dry-run"), dry.error)
        let real = try await home.run(words)
        XCTAssertEqual(real.ending, .exited(0), real.error)
        XCTAssertEqual(
            real.output,
            dry.output.replacingOccurrences(of: "would create ", with: "created ")
                .replacingOccurrences(of: "would change ", with: "changed "))
        XCTAssertNotEqual(real.output, dry.output)
        let created = real.output.split(separator: "\n").filter { $0.hasPrefix("created ") }
            .map { String($0.dropFirst("created ".count)) }
        let new = try paths(in: clone).filter { !before.contains($0) }
        XCTAssertEqual(Set(created).subtracting(new), [])
        XCTAssertEqual(new.filter { $0.contains(".") }.sorted(), created.sorted())
        XCTAssertTrue(
            real.output.hasSuffix(
                "\nThese describe the example; change them with it: "
                    + "plugins/Spool/README.md, its row in README.md\n"), real.output)
        let again = try await home.run(words)
        XCTAssertEqual(again.ending, .exited(64))
        XCTAssertTrue(again.error.contains("has `Spool` already"), again.error)
    }

    func testWrongArguments_endWith64() async throws {
        let (home, clone) = try homeWithClone()
        let before = try paths(in: clone)
        for (words, expected) in [
            (["new"], "an action is required"),
            (["new", "adaptor", "A"], "did you mean `adapter`?"),
            (["new", "adapter"], "NAME is required"),
            (
                ["new", "adapter", "StepClip"],
                "--transport is required; known: bluetooth, serial, exec"
            ),
            (["new", "adapter", "StepClip", "--transport", "usb"], "unknown transport `usb`"),
            (["new", "sink", "StepClip", "--transport", "serial"], "unknown option `--transport`"),
            (["new", "sink", "step-clip"], "did you mean `StepClip`?"),
            (["new", "sink", "Lines"], "the package has `Lines` already"),
            (["new", "source", "Serial"], "Pulsegate has a type `SerialSource`"),
            (["new", "source", "Rfcomm"], "the plugin `rfcomm` is built in already"),
        ] {
            let options = words.count > 2 ? ["--directory", clone] : []
            let outcome = try await home.run(words + options)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
        }
        XCTAssertEqual(try paths(in: clone), before)
    }

    // MARK: The program

    func testProgram_passesItsTests_andItsValuesAreInTheStore() async throws {
        let home = try Home()
        let new = try await home.run(
            "new", "adapter", "FootPod", "--transport", "exec", "--directory", home.folder.path)
        XCTAssertEqual(new.ending, .exited(0), new.error)
        let tests = try RunningCommand(
            ["/usr/bin/python3", home.folder.path("FootPod/test_foot_pod.py")], in: home.folder,
            environment: home.environment, output: .pipe)
        let ending = try await tests.waitForEnd()
        let testOutput = await tests.text(of: .error)
        XCTAssertEqual(ending, .exited(0), testOutput)
        XCTAssertTrue(testOutput.contains("Ran 6 tests"), testOutput)

        let port = try PseudoTerminal()
        let sample = try String(
            contentsOfFile: home.folder.path("FootPod/sample.json5"), encoding: .utf8)
        try home.configure(sample)
        let check = try await home.run("check")
        XCTAssertEqual(check.ending, .exited(0), check.error)
        try home.configure(
            sample.replacingOccurrences(of: "/dev/ttyACM0", with: port.slavePath)
                .replacingOccurrences(
                    of: "/usr/local/lib/pulsegate", with: home.folder.path("FootPod")
                )
                .replacingOccurrences(
                    of: "sinks: {", with: #"sinks: { lines: { use: "stdout" },"#))
        try await assertStores(port, in: home)
    }

    private func assertStores(_ port: PseudoTerminal, in home: Home) async throws {
        let gateway = try home.start("run")
        try port.write(Array("hello\r\nsteps=1200\r\nsteps=1203\r\nst".utf8))
        try port.write(Array("eps=1207\n".utf8))
        try await gateway.waitForLines(2, with: #""type":"stepCount""#, on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let query = try await home.run("query", "stepCount", "--format", "csv")
        let values = query.output.split(separator: "\r\n").dropFirst()
            .map { $0.split(separator: ",")[4] }
        XCTAssertEqual(values, ["3", "4"], query.output + query.error)
    }
}
