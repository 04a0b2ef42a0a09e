import Foundation
import GatewayTesting
import Glibc
import XCTest

/// `adopt` and `forget`: what they keep, and what they refuse.
final class AdoptionTests: XCTestCase {
    private static let strap = "D0:11:22:33:44:55"
    private static let steps = #"{ use: "lines", preset: "steps" }"#

    private func file(of home: Home) throws -> String {
        try String(contentsOfFile: "\(home.dataDirectory)/devices.json", encoding: .utf8)
    }

    func testAdopt_keepsTheDevice_andForgetUndoesIt() async throws {
        let home = try Home()
        let adopted = try await home.run(
            "adopt", "d0:11:22:33:44:55", "--name", "Ada's strap", "--role", "backup")
        XCTAssertEqual(adopted.ending, .exited(0), adopted.error)
        XCTAssertEqual(adopted.output, "adopted \(Self.strap): role backup, name Ada's strap\n")
        XCTAssertEqual(adopted.error, "")
        let text = try file(of: home)
        XCTAssertTrue(
            text.contains(#""\#(Self.strap)":{"name":"Ada's strap","role":"backup""#), text)
        XCTAssertEqual(
            try home.folder.permissions().filter { $0.key.hasPrefix("data/") },
            ["data/pulsegate": 0o700, "data/pulsegate/devices.json": 0o600])

        let forgotten = try await home.run("forget", Self.strap)
        XCTAssertEqual(forgotten.ending, .exited(0), forgotten.error)
        XCTAssertEqual(forgotten.output, "\(Self.strap) is no longer adopted\n")
        XCTAssertFalse(try file(of: home).contains(Self.strap))
    }

    func testAdopt_again_changesWhatIsGivenAndNothingElse() async throws {
        let home = try Home()
        _ = try await home.run("adopt", "/dev/ttyX", "--protocol", "hxm", "--name", "Foot")
        let text = try file(of: home)
        let pattern = #""since":"[^"]*""#
        let since = try XCTUnwrap(text.range(of: pattern, options: .regularExpression))
        let before = text[since]
        let same = try await home.run("adopt", "/dev/ttyX", "--protocol", "hxm")
        XCTAssertEqual(same.output, "/dev/ttyX is already adopted; nothing has changed\n")
        XCTAssertEqual(same.ending, .exited(0))
        let changed = try await home.run("adopt", "/dev/ttyX", "--protocol", Self.steps)
        XCTAssertEqual(changed.ending, .exited(0), changed.error)
        XCTAssertEqual(
            changed.output,
            #"/dev/ttyX is already adopted; updated to name Foot, "#
                + #"protocol {"preset":"steps","use":"lines"}"# + "\n")
        let after = try file(of: home)
        XCTAssertTrue(after.contains(before), after)
    }

    func testAdopt_ofAClassicDevice_needsItsProtocol() async throws {
        let home = try Home()
        let outcome = try await home.run("adopt", "00:07:80:aa:bb:cc", "--protocol", "hxm")
        XCTAssertEqual(outcome.output, "adopted 00:07:80:AA:BB:CC: protocol hxm\n")
        XCTAssertTrue(try file(of: home).contains(#""00:07:80:AA:BB:CC":{"protocol":"hxm""#))
    }

    /// The names of the built-in protocols, sorted, as `plugins` lists them.
    private static func protocols(of home: Home) async throws -> [String] {
        struct Entry: Decodable {
            let kind: String
            let use: String
        }
        let outcome = try await home.run("plugins", "--json")
        let entries = try JSONDecoder().decode([Entry].self, from: Data(outcome.output.utf8))
        let names = entries.filter { $0.kind == "serial protocol" }.map(\.use).sorted()
        XCTAssertTrue(Set(names).isSuperset(of: ["exec", "hxm", "lines"]), "\(names)")
        return names
    }

    func testWrongWords_endWith64AndSayWhatIsMeant() async throws {
        let home = try Home()
        try home.configure("{ people: { ada: {}, bob: {} } }")
        let protocols = try await Self.protocols(of: home).joined(separator: ", ")
        let cases: [(words: [String], expected: String)] = [
            (["adopt"], "ADDRESS|PORT is required"),
            (["adopt", "ttyUSB0"], "ttyUSB0, found `ttyUSB0`"),
            (["adopt", "D0:11:22:33:44"], "expected an address such as"),
            (["adopt", ""], "expected an address such as D0:11:22:33:44:55"),
            (
                ["adopt", "00:00:00:00:00:00"],
                "is not the address of a device; `pulsegate devices` lists"
            ),
            (
                ["adopt", "ff:ff:ff:ff:ff:ff", "--protocol", "hxm"],
                "is not the address of a device"
            ),
            (["adopt", "/dev/shm", "--protocol", "hxm"], "/dev/shm is not a serial port;"),
            (["adopt", "/etc/passwd"], "or a port such as /dev/ttyUSB0"),
            (["adopt", "/dev/tty\u{1b}[31m"], "expected an address"),
            (["adopt", "/dev/ttyX"], "is required for /dev/ttyX; known: \(protocols);"),
            (["adopt", "/dev/ttyX", "--protocol", "hxn"], "did you mean `hxm`?"),
            (["adopt", "/dev/ttyX", "--protocol", ""], "--protocol: must not be empty"),
            (["adopt", "/dev/ttyX", "--protocol", "lines"], "the key `preset` is missing"),
            (
                ["adopt", "/dev/ttyX", "--protocol", #"{ use: "lines", preset: "stepz" }"#],
                "--protocol: preset: unknown value `stepz`; did you mean `steps`?"
            ),
            (["adopt", "/dev/ttyX", "--protocol", #"{ use: "lines""#], "line 1, column"),
            (
                ["adopt", Self.strap, "--person", "adda"],
                "--person: unknown person `adda`; did you mean `ada`?"
            ),
            (["adopt", Self.strap, "--person", "me"], "known: ada, bob"),
            (["adopt", Self.strap, "--role", "backpu"], "did you mean `backup`?"),
            (["adopt", Self.strap, "--name", ""], "--name: must not be empty"),
            (["adopt", Self.strap, "--name", "a\nb"], "without control characters"),
            (["forget"], "ADDRESS|PORT is required"),
            (["forget", "x"], "expected an address such as D0:11:22:33:44:55"),
            (["forget", ""], "expected an address such as D0:11:22:33:44:55"),
        ]
        for (words, expected) in cases {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(64), "\(words)")
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
            XCTAssertFalse(outcome.error.contains("\u{1b}"), "\(words)")
            XCTAssertEqual(outcome.output, "", "\(words)")
        }
        XCTAssertNotEqual(access("\(home.dataDirectory)/devices.json", F_OK), 0)
    }

    func testAdopt_ofTheOnlyPerson_needsNoConfiguration() async throws {
        let outcome = try await Home().run("adopt", Self.strap, "--person", "me")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
    }

    func testAdopt_ofWhatTheConfigurationSays_isRejected() async throws {
        let home = try Home()
        try home.configure(
            """
            { people: { ada: {}, bob: {} },
              sources: { foot: { use: "serial", port: { path: "/dev/ttyX" }, protocol: "hxm" } },
              devices: { "d0:11:22:33:44:55": { person: "ada", role: "primary", name: "Strap" } } }
            """)
        let cases = [
            (Self.strap, "--person", "bob", "devices.d0:11:22:33:44:55.person in "),
            (Self.strap, "--role", "backup", "devices.d0:11:22:33:44:55.role in "),
            (Self.strap, "--name", "Mine", "devices.d0:11:22:33:44:55.name in "),
            ("/dev/ttyX", "--protocol", Self.steps, "sources.foot.protocol in "),
        ]
        for (device, option, value, expected) in cases {
            let outcome = try await home.run("adopt", device, option, value)
            XCTAssertEqual(outcome.ending, .exited(1), option)
            let text = "the configuration wins: \(expected)\(home.configurationPath) sets "
            XCTAssertTrue(outcome.error.contains(text), outcome.error)
            XCTAssertTrue(outcome.error.contains("; change it there"), outcome.error)
        }
        XCTAssertNotEqual(access("\(home.dataDirectory)/devices.json", F_OK), 0)
        // What the configuration leaves open may be said, without a protocol that stands there already.
        let outcome = try await home.run("adopt", "/dev/ttyX", "--person", "bob")
        XCTAssertEqual(outcome.output, "adopted /dev/ttyX: person bob\n", outcome.error)
        XCTAssertEqual(outcome.error, "")
    }

    func testAdopt_withWhatTheConfigurationSaysToo_keepsNoneOfIt() async throws {
        let home = try Home()
        try home.configure(
            """
            { people: { ada: {} },
              sources: { straps: "bluetooth",
                foot: { use: "serial", port: { path: "/dev/ttyX" }, protocol: { use: "hxm" } } },
              devices: { "d0:11:22:33:44:55": { person: "ada", role: "backup", name: "Strap" } } }
            """)
        let same = ["--person", "ada", "--role", "backup", "--name", "Strap"]
        for words in [["adopt", Self.strap] + same, ["adopt", "/dev/ttyX", "--protocol", "hxm"]] {
            let first = try await home.run(words)
            XCTAssertEqual(first.ending, .exited(0), first.error)
            XCTAssertEqual(first.output, "adopted \(words[1])\n")
            let second = try await home.run(words)
            XCTAssertEqual(
                second.output, "\(words[1]) is already adopted; nothing has changed\n")
            XCTAssertEqual(second.error, "")
        }
        let text = try file(of: home)
        for word in ["ada", "backup", "Strap", "hxm"] { XCTAssertFalse(text.contains(word), text) }
    }

    func testAdopt_ofAnAddressThatMayChange_warns() async throws {
        let home = try Home()
        let address = "4A:11:22:33:44:55"
        let outcome = try await home.run("adopt", address)
        XCTAssertEqual(outcome.ending, .exited(0))
        XCTAssertEqual(outcome.output, "adopted \(address)\n")
        XCTAssertTrue(outcome.error.contains("changes about every 15 minutes"), outcome.error)
        XCTAssertTrue(outcome.error.contains("`pair \(address)` in `bluetoothctl`"), outcome.error)
    }

    func testForget_ofWhatIsNotAdopted_namesTheNearest() async throws {
        let home = try Home()
        let nothing = try await home.run("forget", Self.strap)
        XCTAssertEqual(nothing.ending, .exited(1))
        XCTAssertTrue(nothing.error.contains("is not adopted; no device is"), nothing.error)
        XCTAssertNotEqual(access(home.dataDirectory, F_OK), 0)

        _ = try await home.run("adopt", Self.strap)
        let near = try await home.run("forget", "D0:11:22:33:44:56")
        XCTAssertEqual(near.ending, .exited(1))
        XCTAssertTrue(near.error.contains("did you mean `\(Self.strap)`?"), near.error)
        let cut = try await home.run("forget", "D0:11:22:33:44:5")
        XCTAssertEqual(cut.ending, .exited(64))
        XCTAssertTrue(cut.error.contains("did you mean `\(Self.strap)`?"), cut.error)

        try home.configure(#"{ devices: { "d0:00:00:00:00:00": { name: "Strap" } } }"#)
        let named = try await home.run("forget", "D0:00:00:00:00:00")
        XCTAssertEqual(named.ending, .exited(1))
        let place = "devices.d0:00:00:00:00:00 in \(home.configurationPath)"
        XCTAssertTrue(
            named.error.contains("is configured by \(place), not by `pulsegate adopt`"), named.error
        )
    }

    func testTwoAdoptsAtOnce_loseNeither() async throws {
        let home = try Home()
        let commands = try (0..<12).map { number in
            try home.start("adopt", "/dev/tty\(number)", "--protocol", "hxm")
        }
        for command in commands {
            let ending = try await command.waitForEnd()
            XCTAssertEqual(ending, .exited(0))
        }
        let text = try file(of: home)
        for number in 0..<12 { XCTAssertTrue(text.contains("\"/dev/tty\(number)\":"), text) }
    }

    func testAFileThatIsNotRight_isReportedByEveryCommandAndLeftAlone() async throws {
        let home = try Home()
        _ = try await home.run("adopt", Self.strap)
        let path = "\(home.dataDirectory)/devices.json"
        try home.folder.write(
            Array(#"{"v":1,"devices":{"x":{}}}"#.utf8), to: "data/pulsegate/devices.json")
        for words in [["run"], ["check"], ["adopt", Self.strap], ["forget", Self.strap]] {
            let outcome = try await home.run(words)
            XCTAssertEqual(outcome.ending, .exited(78), "\(words)")
            let expected = "\(path): devices.x: expected an address such as"
            XCTAssertTrue(outcome.error.contains(expected), "\(words): \(outcome.error)")
            XCTAssertTrue(outcome.error.contains("; fix it there, or remove"), outcome.error)
        }
        XCTAssertEqual(try file(of: home), #"{"v":1,"devices":{"x":{}}}"#)
    }

    func testAFolderOfSomebodyElse_isReported() async throws {
        let nobody = try Home.wordsForNobody()
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        let outcome = try await home.run("adopt", Self.strap, prefix: nobody)
        // Its gateway would be asked; none runs.
        XCTAssertEqual(outcome.ending, .exited(69))
        XCTAssertTrue(
            outcome.error.contains(
                "start its service: `sudo systemctl start pulsegate`, or run this command as root: "
                    + "`sudo pulsegate …`"), outcome.error)
    }
}
