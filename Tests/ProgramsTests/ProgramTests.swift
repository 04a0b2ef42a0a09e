import GatewayTesting
import Glibc
import JSON
import Platform
import Programs
import XCTest

@testable import GatewayCore

/// A program of the configuration gets what its settings say, and nothing secret of the gateway.
final class ProgramTests: XCTestCase {
    private var context: ComponentContext {
        ComponentContext(
            name: "own", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: "/",
            environment: ["HOME": "/home/me", "DISPLAY": ":0", "TOKEN": "secret"])
    }

    private func settings(_ json5: String) throws -> ProgramSettings {
        try ProgramSettings(
            ConfigurationNode(json5: json5).object(keys: ProgramSettings.keys))
    }

    /// The variables that a program finds.
    private func environment(
        of program: Program, adding more: [String: String] = [:]
    ) async throws -> Set<String> {
        let child = try program.launch(context.poller, variables: more)
        var text: [UInt8] = []
        while let bytes = try await child.output.read() { text += bytes }
        _ = try await child.waitForEnd()
        return Set(String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    func testEnvironment_isThatOfTheSettings_withoutSecrets() async throws {
        let settings = try settings(#"{ command: ["env"], environment: { A: "1", B: "2" } }"#)
        let variables = try await environment(
            of: Program(
                settings, context, inheriting: ["DISPLAY"], variables: ["B": "own", "C": "own"]),
            adding: ["A": "more"])
        XCTAssertEqual(
            variables,
            [
                "HOME=/home/me", "DISPLAY=:0", "PATH=/usr/local/bin:/usr/bin:/bin", "A=more", "B=2",
                "C=own",
            ])
    }

    func testCommandAlone_hasNoOtherSettings() async throws {
        let command = try ConfigurationNode(json5: #"["sh", "-c", "pwd >&2; env"]"#)
        let variables = try await environment(
            of: Program(ProgramSettings(command: command), context))
        XCTAssertTrue(variables.isSuperset(of: ["HOME=/home/me"]))
        XCTAssertFalse(variables.contains("DISPLAY=:0"))
        XCTAssertFalse(variables.contains("TOKEN=secret"))
    }

    /// `check` and `run` say the same about a program that cannot be started.
    private func assertRefused(_ json5: String, _ message: String, line: UInt = #line) throws {
        let program = Program(try settings(json5), context)
        XCTAssertThrowsError(try program.check(), line: line) {
            XCTAssertEqual("\($0)", "command: \(message)", line: line)
        }
        XCTAssertThrowsError(try program.start(context.poller), line: line) {
            XCTAssertEqual("\($0)", message, line: line)
        }
    }

    func testMissingProgram_isRefused_withWhereItWasSearched() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write([], to: "plain")
        for path in ["/nonexistent/x", "\(plain)/x"] {
            try assertRefused(
                #"{ command: ["\#(path)"] }"#,
                "`\(path)` was not found; install it, or correct `command`")
        }
        try assertRefused(
            #"{ command: ["./x"], directory: "\#(folder.path)" }"#,
            "`\(folder.path)/./x` was not found; install it, or correct `command`")
        try assertRefused(
            #"{ command: ["no-such-program"] }"#,
            "`no-such-program` was not found in PATH (/usr/local/bin:/usr/bin:/bin); install it, or "
                + "set its full path in `command`")
        try assertRefused(
            #"{ command: ["env"], environment: { PATH: "\#(folder.path)" } }"#,
            "`env` was not found in PATH (\(folder.path)); install it, or set its full path in "
                + "`command`")
    }

    func testDirectoryThatCannotBeUsed_isRefused_withWhatIsWrongWithIt() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write([], to: "plain")
        for (directory, problem) in [
            ("/nonexistent/x", "does not exist; create it, or correct `directory`"),
            (plain, "is not a folder; correct `directory`"),
            ("\(plain)/x", "is below a file; correct `directory`"),
        ] {
            try assertRefused(
                #"{ command: ["env"], directory: "\#(directory)" }"#,
                "the working directory \(directory) of `env` \(problem)")
        }
    }

    /// The message says what is wrong with the file, before the gateway starts and when it starts the program.
    func testFileThatIsNoProgram_isRefused_withWhatIsWrongWithIt() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("folder")
        let plain = try folder.write(Array("#!/bin/sh\n".utf8), to: "plain")
        let spaced = try folder.write(Array("#!/bin/sh\n".utf8), to: "with space")
        let pipe = folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o700), 0)
        symlink("folder", folder.path("link"))
        for (path, message) in [
            (folder.path("folder"), "is a folder; set the path of a program in `command`"),
            (folder.path("link"), "is a folder; set the path of a program in `command`"),
            (pipe, "is not a regular file; set the path of a program in `command`"),
            (plain, "is not executable; run: chmod +x \(plain)"),
            (spaced, "is not executable; run: chmod +x '\(spaced)'"),
        ] {
            let program = Program(try settings(#"{ command: ["\#(path)"] }"#), context)
            XCTAssertThrowsError(try program.check()) {
                XCTAssertEqual("\($0)", "command: `\(path)` \(message)")
            }
            XCTAssertThrowsError(try program.start(context.poller)) {
                XCTAssertEqual("\($0)", "`\(path)` \(message)")
            }
        }
    }

    func testScriptWithoutItsInterpreter_isRefused_beforeTheGatewayStarts() throws {
        let folder = try TemporaryFolder()
        let plain = try folder.write([], to: "plain")
        let path = folder.path("script")
        for (line, message) in [
            (
                "#!/nonexistent/python -u",
                "the interpreter `/nonexistent/python` of `\(path)` is missing; install it, or correct "
                    + "the first line"
            ),
            (
                "#! \(plain)",
                "the interpreter `\(plain)` of `\(path)` cannot be executed; set the path of a program "
                    + "in `command`"
            ),
            (
                "#!/bin/sh\r",
                "the first line of `\(path)` ends with a carriage return; save it with the line ends "
                    + "of Linux"
            ),
        ] {
            _ = try folder.write(Array("\(line)\n".utf8), to: "script")
            chmod(path, 0o700)
            let program = Program(try settings(#"{ command: ["\#(path)"] }"#), context)
            XCTAssertThrowsError(try program.check()) {
                XCTAssertEqual("\($0)", "command: \(message)")
            }
            XCTAssertThrowsError(try program.start(context.poller)) {
                XCTAssertEqual("\($0)", message)
            }
        }
    }

    func testScriptWithAnyOtherFirstLine_isNotRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("script")
        for line in ["#!/bin/sh", "#! /bin/sh -e", "#!\t/bin/sh", "#!", "#!sh", "", "#"] {
            _ = try folder.write(Array("\(line)\n".utf8), to: "script")
            chmod(path, 0o700)
            let program = Program(try settings(#"{ command: ["\#(path)"] }"#), context)
            XCTAssertNoThrow(try program.check(), line)
        }
    }
}
