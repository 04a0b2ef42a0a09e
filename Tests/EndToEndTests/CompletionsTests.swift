import Foundation
import GatewayTesting
import XCTest

/// `completions`: what bash, zsh and fish make of it.
final class CompletionsTests: XCTestCase {
    private let cases: [(line: String, offers: [String])] = [
        ("pulsegate qu", ["query"]),
        ("pulsegate query sleepA", ["sleepAnalysis"]),
        ("pulsegate query deviceE", ["deviceEvent"]),
        ("pulsegate search polar --in work", ["workouts"]),
        ("pulsegate query --fo", ["--format"]),
        ("pulsegate query --format j", ["json"]),
        ("pulsegate statistics --from 1d --format nd", ["ndjson"]),
        ("pulsegate statistics bodyMassI", ["bodyMassIndex"]),
        ("pulsegate add bodyMassI", ["bodyMassIndex"]),
        ("pulsegate tap --type stepC", ["stepCount"]),
        ("pulsegate query --person a", ["ada"]),
        ("pulsegate people set ad", ["ada"]),
        ("pulsegate people set ada --move-mode appleM", ["appleMoveTime"]),
        ("pulsegate people set ada --blood-type=AB-", ["AB-"]),
        ("pulsegate plugins sql", ["sqlite"]),
        ("pulsegate adopt /dev/ttyS0 --protocol hx", ["hxm"]),
        ("pulsegate adopt /dev/ttyS0 --role b", ["backup"]),
        ("pulsegate workout sto", ["stop"]),
        ("pulsegate workout trends --plot en", ["energy"]),
        ("pulsegate workout start --activity rowi", ["rowing"]),
        ("pulsegate workout export out.fit --format cs", ["csv"]),
        ("pulsegate check --config somewh", ["somewhere.json5"]),
        ("pulsegate workout import somewh", ["somewhere.json5"]),
        ("pulsegate import one.csv somewh", ["somewhere.json5"]),
        ("pulsegate completions fi", ["fish"]),
    ]

    /// An operand is offered only at its place.
    private let operands: [(line: String, offers: [String])] = [
        ("pulsegate people ", ["default", "list", "remove", "set", "show"]),
        ("pulsegate people set ", ["ada", "me"]),
        ("pulsegate people set --sex female ", ["ada", "me"]),
        ("pulsegate people set --sex=female ada ", []),
        ("pulsegate summary --json day ", []),
        ("pulsegate add bodyMass ", []),
        ("pulsegate completions bash ", []),
    ]

    private func home() async throws -> Home {
        let home = try Home()
        try home.folder.write([], to: "somewhere.json5")
        let outcome = try await home.run("people", "set", "ada")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        return home
    }

    /// The help and the manual page show commands for a home without these folders.
    func testInstallation_worksAsPasted() async throws {
        let home = try Home()
        let command = try Home.commandPath()
        let files = [
            ".local/share/bash-completion/completions/pulsegate", ".zfunc/_pulsegate",
            ".config/fish/completions/pulsegate.fish", ".local/share/man/man1/pulsegate.1",
        ]
        for name in ["completions", "man"] {
            let help = try await home.run(name, "--help").output
            let lines = help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let pasted = lines.filter { $0.hasPrefix("mkdir ") || $0.contains(" > ~/") }
            XCTAssertFalse(pasted.isEmpty, help)
            let outcome = try await home.run(
                ["--version"],
                prefix: [
                    "/bin/sh", "-ec",
                    "pulsegate() { '\(command)' \"$@\"; }\n" + pasted.joined(separator: "\n"),
                ])
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        for file in files {
            let size = try FileManager.default.attributesOfItem(atPath: home.folder.path(file))
            XCTAssertGreaterThan(size[.size] as? Int ?? 0, 1_000, file)
        }
    }

    func testBash_offersWordsOfEveryPlace() async throws {
        let shell = try await CompletionShell("bash", home())
        _ = try await shell.run("-n", shell.script)
        for (line, offers) in cases {
            let found = try await shell.offers(after: line)
            XCTAssertEqual(found, offers, line)
        }
        for (line, offers) in operands {
            let found = try await shell.offers(after: line)
            XCTAssertEqual(found, offers, line)
        }
        let formats = try await shell.offers(after: "pulsegate query heartRate --format ")
        XCTAssertEqual(formats, ["table", "csv", "json", "ndjson"])
        let afterTheSign = try await shell.offers(after: "pulsegate query --format=")
        XCTAssertEqual(afterTheSign, formats)
        let value = try await shell.offers(after: "pulsegate add bodyMass ")
        XCTAssertEqual(value, [])
        let help = try await shell.offers(after: "pulsegate help summ")
        XCTAssertEqual(help, ["summary"])
    }

    func testBash_knowsEveryCommandAndOptionOfTheHelp() async throws {
        let shell = try await CompletionShell("bash", home())
        let commands = try await HelpText.commands(of: shell.home)
        for (name, options) in commands {
            let words = name.split(separator: " ")
            let line = (["pulsegate"] + words.dropLast()).joined(separator: " ") + " "
            let offered = try await shell.offers(after: line)
            XCTAssertTrue(offered.contains(String(words.last ?? "")), name)
            let found = try await shell.offers(after: "pulsegate \(name) --")
            XCTAssertEqual(Set(found), Set(options), name)
        }
    }

    func testFish_offersWordsOfEveryPlace() async throws {
        let shell = try await CompletionShell("fish", home())
        _ = try await shell.run("--no-execute", shell.script)
        for (line, offers) in cases {
            let found = try await shell.offers(after: line)
            // fish repeats the option before a value that is written together with it.
            let words = found.map { $0.split(separator: "=").last.map(String.init) }
            XCTAssertEqual(words, offers, line)
        }
        for (line, offers) in operands {
            let found = try await shell.offers(after: line)
            XCTAssertEqual(found, offers, line)
        }
    }

    func testZsh_completesWordsOfEveryPlace() async throws {
        let shell = try await CompletionShell("zsh", home())
        _ = try await shell.run("-n", shell.script)
        for (line, offers) in cases {
            let found = try await shell.offers(after: line)
            let start = line.prefix { $0 != "=" }.count < line.count ? "=" : " "
            let end = line.lastIndex(of: Character(start)) ?? line.endIndex
            let expected = line[...end] + offers[0]
            XCTAssertTrue(found.first?.hasPrefix(expected) ?? false, "\(line): \(found)")
        }
    }

    func testUnknownShell_isWrongUsage() async throws {
        let outcome = try await Home().run("completions", "bsh")
        XCTAssertEqual(outcome.ending, .exited(64))
        XCTAssertTrue(outcome.error.contains("did you mean `bash`?"), outcome.error)
    }
}
