import GatewayTesting
import XCTest

/// Help, version and usage errors.
final class UsageTests: XCTestCase {
    func testHelp_isOnStandardOutputAndNamesEveryCommand() async throws {
        let home = try Home()
        for words in [["--help"], ["-h"], ["help"]] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(0))
            let commands = [
                "run", "check", "devices", "adopt", "forget", "pair", "inspect", "status", "tap",
                "plugins",
                "search", "query", "completions", "man",
            ]
            for command in commands {
                XCTAssertTrue(outcome.output.contains("  \(command) "), command)
            }
            XCTAssertEqual(outcome.error, "")
        }
    }

    func testHelpOfACommand_namesItsOptions() async throws {
        let home = try Home()
        let options = [
            "run": ["--simulate", "--for SECONDS"], "check": ["--config FILE"],
            "devices": ["--for SECONDS", "--json"], "inspect": ["ADDRESS", "--json"],
            "pair": ["ADDRESS", "--timeout SECONDS", "--json"],
            "adopt": ["--person NAME", "--role ROLE", "--protocol P"], "forget": ["ADDRESS|PORT"],
            "plugins": ["[NAME]", "--json"],
            "status": ["--json", "--simulate"], "tap": ["--type TYPE", "--person P", "--json"],
            "query": ["--from T", "--unit U", "--latest", "--format FORMAT"],
        ]
        for (command, expected) in options {
            let outcome = try await home.run(command, "--help")
            XCTAssertEqual(outcome.ending, .exited(0), command)
            for option in expected { XCTAssertTrue(outcome.output.contains(option), option) }
            XCTAssertEqual(outcome.error, "", command)
        }
    }

    func testHelpWithACommand_isTheHelpOfTheCommand() async throws {
        let home = try Home()
        for words in [["query"], ["workout"], ["workout", "start"]] {
            let help = try await home.run(["help"] + words)
            let expected = try await home.run(words + ["--help"])
            XCTAssertEqual(help.ending, .exited(0), help.error)
            XCTAssertEqual(help.output, expected.output)
            XCTAssertTrue(help.output.contains("usage: pulsegate \(words[0]) "), help.output)
        }
        for words in [["help", "qurey"], ["help", "workout", "sart"]] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(64))
            XCTAssertTrue(outcome.error.contains("did you mean `"), outcome.error)
        }
    }

    func testVersion_isOneLine() async throws {
        let outcome = try await Home().run("--version")
        XCTAssertEqual(outcome.ending, .exited(0))
        XCTAssertTrue(outcome.output.hasPrefix("pulsegate 0."), outcome.output)
        XCTAssertEqual(outcome.output.split(separator: "\n").count, 1)
    }

    func testUsageError_exitsWith64AndSuggestsACorrection() async throws {
        let home = try Home()
        let cases: [(words: [String], expected: String)] = [
            ([], "a command is required"),
            (["rum"], "did you mean `run`?"),
            (["--versoin"], "did you mean `--version`?"),
            (["xylophone"], "known: run, check, doctor, devices, adopt, forget"),
            (["statsu"], "did you mean `status`?"),
            (
                ["workout", "pase"],
                "unknown action of `workout`: `pase`; did you mean `pause`?"
            ),
            (["help", "workout", "pase"], "unknown action of `workout`: `pase`"),
            (["people", "lst"], "unknown action of `people`: `lst`; did you mean `list`?"),
            (["people", "show", "eve"], "unknown person `eve`; known: me"),
            (["add", "bodyMass", "1", "kg", "--person", "eve"], "--person: unknown person `eve`"),
            (["status", "--jsno"], "did you mean `--json`?"),
            (["tap", "--type", "heartrat"], "did you mean `heartRate`?"),
            (["tap", "heartRate"], "unexpected argument `heartRate`"),
            (["inspect", "D0:11"], "is not a Bluetooth address"),
            (["pair"], "ADDRESS is required"), (["pair", "D0:11"], "is not a Bluetooth address"),
            (["pair", "D0:11:22:33:44:55", "--timeout", "-1"], "found `-1`"),
            (["run", "--simulat"], "did you mean `--simulate`?"),
            (["run", "--for"], "--for requires a value"),
            (["run", "--for", "soon"], "--for: expected a number of seconds above 0"),
            (["run", "--for=-1"], "--for: expected a number of seconds above 0"),
            (["run", "--for", "nan"], "up to 1000000000, found `nan`"),
            (["devices", "--for", "0"], "--for: expected a number of seconds above 0"),
            (["adopt", "D0:11:22:33:44:55", "--for", "0"], "unknown option `--for`"),
            (["run", "--simulate", "--simulate"], "--simulate is given twice"),
            (["run", "--simulate=yes"], "--simulate does not accept a value"),
            (["run", "now"], "unexpected argument `now`"),
            (["check", "--config"], "--config requires a value"),
            (["check", "--config", "a", "--config", "b"], "--config is given twice"),
            (["query"], "TYPE is required"),
            (["query", "heartRate", "stepCount"], "unexpected argument `stepCount`"),
            (["query", "--form", "1h", "heartRate"], "did you mean `--from`?"),
            (["workout", "trends", "--weeks", "0"], "expected a number from 1 to 520"),
            (["workout", "trends", "--plot", "enrgy"], "did you mean `energy`?"),
            (["workout", "trends", "--plot", "time", "--json"], "only for --format table"),
            (["search"], "TEXT is required"), (["search", " "], "TEXT has no word"),
            (["search", "a", "--in", "device"], "did you mean `devices`?"),
            (["search", "a", "--limit", "0"], "expected a number greater than 0"),
            (["query", "heartRate", "--json", "--format", "csv"], "contradicts --format csv"),
        ]
        for (words, expected) in cases {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
            XCTAssertTrue(outcome.error.hasPrefix("pulsegate: "), outcome.error)
            XCTAssertEqual(outcome.output, "", "\(words)")
        }
    }

    func testALongArgument_isCutInTheMessage() async throws {
        let home = try Home()
        let long = String(repeating: "ü", count: 50_000)
        for words in [
            ["query", long], ["query", "heartRate", "--unit=\(long)"], [long],
            ["run", "--\(long)"],
            ["workout", "show", long], ["import", long], ["people", "show", long],
        ] {
            let outcome = try await home.run(words)
            XCTAssertTrue([.exited(1), .exited(64)].contains(outcome.ending), "\(words[0])")
            XCTAssertLessThan(outcome.error.count, 20_000, words[0])
            XCTAssertFalse(outcome.error.contains(long.prefix(81)), words[0])
        }
    }

    func testResult_whereStandardOutputIsClosed_isAFailure() async throws {
        let home = try Home()
        let closed = ["/bin/sh", "-c", "exec \"$@\" >&-", "sh"]
        let commands = [
            ["--version"], ["--help"], ["run", "--help"], ["check"], ["plugins"],
            ["adopt", "D0:11:22:33:44:55"], ["devices", "--for", "0.1"],
        ]
        for words in commands {
            let outcome = try await home.run(words, prefix: closed)
            XCTAssertEqual(outcome.ending, .exited(1), "\(words)")
            let expected = "pulsegate: cannot write to standard output: it is closed"
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
        }
    }

    func testWrongWord_withControlCharacters_doesNotDriveTheTerminal() async throws {
        let outcome = try await Home().run("run", "--\u{1b}[31mred")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertFalse(outcome.error.contains("\u{1b}"))
    }
}
