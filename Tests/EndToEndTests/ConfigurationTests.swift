import GatewayTesting
import Glibc
import XCTest

/// What `check` and `run` say about configurations.
final class ConfigurationTests: XCTestCase {
    /// A pedometer whose settings are right, to be spoilt at one place.
    private static let foot =
        #"foot: { use: "serial", port: { path: "/dev/ttyUSB0" }, protocol: "hxm" }"#

    func testCheck_ofARightConfiguration_endsWith0AndNamesWhatIsThere() async throws {
        let home = try Home()
        try home.configure(
            """
            // A comment, and a comma too many.
            {
              sources: { \(Self.foot) },
              sinks: { store: { use: "sqlite" }, lines: { use: "stdout", types: ["stepCount"] } },
              people: { ada: { birthDate: "1986-02-14", sex: "female" } },
              devices: { "/dev/ttyUSB0": { person: "ada", name: "Foot" } },
            }
            """)
        let outcome = try await home.run("check")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains(home.configurationPath))
        XCTAssertTrue(outcome.output.contains("sources: foot\n"))
        XCTAssertTrue(outcome.output.contains("sinks: lines, store\n"))
        XCTAssertTrue(outcome.output.contains("data: \(home.dataDirectory)\n"))
        XCTAssertEqual(outcome.error, "")
    }

    func testCheck_ofAJournalInMemory_reportsIt() async throws {
        let home = try Home()
        try home.configure("{ journal: \"memory\", sources: { \(Self.foot) } }")
        let outcome = try await home.run("check")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains("journal: in memory; records"), outcome.output)
    }

    func testCheck_withoutAConfiguration_endsWith0() async throws {
        let outcome = try await Home().run("check")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains("using defaults"))
    }

    func testCheck_findsEveryKindOfMistake() async throws {
        let home = try Home()
        for (text, expected) in Self.mistakes {
            try home.configure(text)
            let outcome = try await home.run("check")
            assertIsRefused(outcome, at: home.configurationPath, expected)
        }
    }

    func testRun_findsMistakesBeforeItTouchesAnything() async throws {
        let home = try Home()
        for (text, expected) in Self.mistakes.prefix(6) {
            try home.configure(text)
            let outcome = try await home.run("run", "--for", "1")
            assertIsRefused(outcome, at: home.configurationPath, expected)
        }
        XCTAssertNotEqual(access("\(home.dataDirectory)/journal", F_OK), 0)
    }

    func testCheck_ofWhatIsNoText_reportsWhatItIs() async throws {
        let home = try Home()
        let garbage = (0...255).map { UInt8($0) }
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 500_000)
        let large = [UInt8](repeating: UInt8(ascii: " "), count: 1_100_000)
        let cases = [
            (try home.folder.write(garbage, to: "garbage"), "not UTF-8 text"),
            (try home.folder.write(deep, to: "deep"), "line 1, column"),
            (try home.folder.write(large, to: "large"), "larger than 1 MiB"),
            (try home.folder.write([], to: "empty"), "line 1, column"),
            (home.folder.path, "not a regular file"),
            (home.folder.path("missing"), "no configuration file at"),
        ]
        for (path, expected) in cases {
            let outcome = try await home.run("check", "--config", path)
            assertIsRefused(outcome, at: path, expected)
        }
    }

    func testCheck_ofADataDirectoryThatCannotBeUsed_reportsItAndCreatesNothing() async throws {
        let nobody = try Home.wordsForNobody()
        let home = try Home()
        XCTAssertEqual(chmod(home.folder.path, 0o755), 0)
        try home.folder.makeFolder("config/pulsegate")
        try home.folder.makeFolder("foreign/data")
        XCTAssertEqual(chmod(home.folder.path("foreign/data"), 0o555), 0)
        XCTAssertEqual(chmod(home.folder.path("foreign"), 0o755), 0)
        try home.folder.write([], to: "file")
        XCTAssertEqual(symlink("nowhere", home.folder.path("link")), 0)
        let configuration = try home.folder.write([], to: "c.json5")
        XCTAssertEqual(chmod(configuration, 0o644), 0)
        let cases = [
            ("foreign/data", "foreign/data", "Permission denied"),
            ("foreign/missing/data", "foreign", "Permission denied"),
            ("file/data", "file", "Not a directory"), ("link", "link", "Not a directory"),
            ("file", "file", "Not a directory"),
        ]
        for (path, culprit, reason) in cases {
            let text = "{ dataDirectory: \"\(home.folder.path(path))\" }"
            try home.folder.write(Array(text.utf8), to: "c.json5")
            let before = try home.folder.permissions()
            let outcome = try await home.run("check", "--config", configuration, prefix: nobody)
            XCTAssertEqual(outcome.ending, .exited(1), path)
            let problem =
                "cannot write to the data directory \(home.folder.path(culprit)): \(reason); "
            XCTAssertTrue(outcome.error.contains(problem), "\(path): \(outcome.error)")
            XCTAssertTrue(
                outcome.error.contains("change `dataDirectory` in \(configuration)"), outcome.error)
            XCTAssertEqual(try home.folder.permissions(), before)
        }
    }

    func testCheck_ofADataDirectoryOfTheEnvironment_namesTheVariable() async throws {
        var home = try Home()
        try home.folder.write([], to: "file")
        for (name, words) in [
            ("XDG_DATA_HOME", "change $XDG_DATA_HOME"),
            ("STATE_DIRECTORY", "change $STATE_DIRECTORY"),
        ] {
            home.environment[name] = home.folder.path("file")
            let outcome = try await home.run("check")
            XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
            XCTAssertTrue(outcome.error.contains(words), outcome.error)
            XCTAssertTrue(outcome.error.contains("set another `dataDirectory`"), outcome.error)
        }
    }

    func testCheck_ofALockFileOfAnotherUser_reportsIt() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate")
        let lock = try home.folder.write([], to: "data/pulsegate/lock")
        let first = try await home.run("check")
        XCTAssertEqual(first.ending, .exited(0), first.error)
        guard chown(lock, Home.nobody, Home.nobody) == 0 else { throw XCTSkip("needs root") }
        let outcome = try await home.run("check")
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(outcome.error.contains("\(lock) belongs to another user"), outcome.error)
    }

    func testCheck_takesTheFileOfTheEnvironment_andAByteOrderMark() async throws {
        var home = try Home()
        let text = "\u{FEFF}{ sources: { \(Self.foot) } }\r\n"
        let path = try home.folder.write(Array(text.utf8), to: "marked.json5")
        home.environment["PULSEGATE_CONFIG"] = path
        let outcome = try await home.run("check")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains("sources: foot\n"))
    }

    func testCheck_ofAFileThatMayNotBeRead_reportsIt() async throws {
        let nobody = try Home.wordsForNobody()
        let home = try Home()
        let path = try home.folder.write(Array("{}".utf8), to: "secret.json5")
        chmod(path, 0o600)
        let outcome = try await home.run("check", "--config", path, prefix: nobody)
        assertIsRefused(outcome, at: path, "Permission denied")
    }

    private func assertIsRefused(
        _ outcome: Home.Outcome, at path: String, _ expected: String,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        let text = outcome.error
        XCTAssertEqual(outcome.ending, .exited(78), expected, file: file, line: line)
        XCTAssertTrue(text.contains(expected), "\(expected): \(text)", file: file, line: line)
        XCTAssertTrue(text.contains(path), text, file: file, line: line)
        XCTAssertEqual(text.split(separator: "\n").count, 1, text, file: file, line: line)
        XCTAssertEqual(outcome.output, "", expected, file: file, line: line)
    }

    private static func source(_ settings: String) -> String {
        "{ sources: { foot: { use: \"serial\", \(settings) } } }"
    }

    private static func lines(_ settings: String) -> String {
        source("port: { path: \"/dev/ttyUSB0\" }, protocol: { use: \"lines\", \(settings) }")
    }

    private static func straps(_ one: String, _ two: String) -> String {
        """
        { sources: { a: { use: "bluetooth", \(one) }, b: { use: "bluetooth", \(two) } } }
        """
    }

    private static func sink(_ settings: String) -> String {
        "{ sources: { \(foot) }, sinks: { store: { \(settings) } } }"
    }

    private static let mistakes: [(text: String, expected: String)] = [
        (
            source(#"protocol: "hxm", port: { path: 7 }"#),
            "sources.foot.port.path: expected a string"
        ),
        (
            lines(#"preset: "stepz""#),
            "sources.foot.protocol.preset: unknown value `stepz`; did you mean `steps`?"
        ),
        (#"{ sources: { foot: { use: "serail" } } }"#, "sources.foot.use: unknown plugin `serail`"),
        (
            "{ sources: { \(foot), other: \(foot.dropFirst(6)) } }",
            "sources.other: reads /dev/ttyUSB0, which sources.foot also reads"
        ),
        (
            straps(#"devices: "any""#, #"devices: ["d0:11:22:33:44:55"], adapter: "hci1""#),
            "sources.b: reads D0:11:22:33:44:55, and sources.a reads any device"
        ),
        (
            straps(#"devices: ["D0:11:22:33:44:55"]"#, #"devices: ["d0:11:22:33:44:55"]"#),
            "sources.b: reads D0:11:22:33:44:55, which sources.a also reads"
        ),
        (sink(#"use: "sqllite""#), "did you mean `sqlite`?"),
        (
            sink(#"use: "sqlite", buffer: { maxSize: "64 MiB", whenFull: "block" }"#),
            "sinks.store.buffer.whenFull: must not be `block`: the source `foot`"
        ),
        (
            sink(#"use: "sqlite", buffer: { maxSize: "1 KiB" }"#),
            "sinks.store.buffer.maxSize: must be from"
        ),
        (
            sink(#"use: "sqlite", previousName: "store""#),
            "sinks.store.previousName: must not be `store`"
        ),
        (
            #"{ journal: "disk" }"#,
            "journal: unknown value `disk`; expected \"memory\", or an object such as"
        ),
        (source(#"protocol: "hxm", port: { path: "ttyUSB0" }"#), "port.path: must be an absolute"),
        (source(#"protocol: "hxm", port: {}"#), "sources.foot.port: does not identify a port"),
        (source(#"protocol: "hxm""#), "sources.foot: the key `port` is missing"),
        (source(#"port: { path: "/dev/x" }"#), "sources.foot: the key `protocol` is missing"),
        (
            source(#"port: { path: "/dev/x" }, protocol: "hxn""#),
            "sources.foot.protocol: unknown protocol `hxn`; did you mean `hxm`?"
        ),
        (
            lines(#"preset: "steps", baud: 115201"#),
            "protocol.baud: 115201 is not a supported baud rate"
        ),
        (lines(#"preset: "steps", baud: "fast""#), "protocol.baud: expected a number"),
        (lines(#"preset: "steps", baud: Infinity"#), "sources.foot.protocol.baud"),
        (
            lines(#"baud: 9600"#),
            "sources.foot.protocol: the key `preset` is missing; known: "
        ),
        (source(#"prot: {}"#), "sources.foot.prot: unknown key; did you mean `port`?"),
        (#"{ sources: { foot: {} } }"#, "sources.foot: the key `use` is missing"),
        (#"{ sources: { "my foot": "serial" } }"#, "sources.my foot: a name must consist of"),
        (#"{ sources: null }"#, "sources: expected an object, found null"),
        (#"{ source: {} }"#, "source: unknown key; did you mean `sources`?"),
        (#"[]"#, "expected an object, found a list"),
        (sink(#"use: "sqlite", pth: "x""#), "sinks.store.pth: unknown key; did you mean `path`?"),
        (sink(#"use: "sqlite", types: ["hartRate"]"#), "sinks.store.types[0]: unknown type"),
        (sink(#"use: "sqlite", types: []"#), "sinks.store.types: must have at least one type"),
        (sink(#"use: "sqlite", types: "heartRate""#), "sinks.store.types: expected a list"),
        ("{ sources: { \(foot) }, sinks: {} }", "sinks: must name at least one sink"),
        (#"{ dataDirectory: "here" }"#, "dataDirectory: must be an absolute path"),
        (#"{ journal: { durability: "powerloss" } }"#, "did you mean `powerLoss`?"),
        (
            #"{ people: { ada: { birthDate: "14.2.86" } } }"#,
            "people.ada.birthDate: expected a date"
        ),
        (
            #"{ people: { ada: { birthDate: "2999-01-01" } } }"#,
            "people.ada.birthDate: must not be in the future"
        ),
        (
            #"{ people: { ada: { birthDate: "1899-12-31" } } }"#,
            "people.ada.birthDate: must be 1900-01-01 or later"
        ),
        (
            #"{ people: { ada: { sex: "femal" } } }"#,
            "people.ada.sex: unknown value `femal`; did you mean `female`?"
        ),
        (
            #"{ people: { ada: { maximumHeartRate: { value: 188, unit: "m" } } } }"#,
            "people.ada.maximumHeartRate.unit: `m` is not a unit of heartRate"
        ),
        (#"{ people: { ada: { units: { bodyMas: "kg" } } } }"#, "people.ada.units.bodyMas"),
        (
            #"{ people: { ada: {} }, devices: { "/dev/x": { person: "adda" } } }"#,
            "devices./dev/x.person: unknown person `adda`; did you mean `ada`?"
        ),
        (
            #"{ devices: { zz: {} } }"#,
            "devices.zz: expected an address such as D0:11:22:33:44:55, a port such as /dev/ttyUSB0"
        ),
        (#"{ devices: { "/dev/x": {} } }"#, "devices./dev/x: sets nothing; give `person`"),
        (
            sink(#"use: "sqlite", retention: { age: "5m" }"#),
            "sinks.store.retention.age: must be from 1h to 36525d"
        ),
        (
            sink(#"use: "sqlite", buffer: { maxAge: "0s" }"#),
            "sinks.store.buffer.maxAge: must be from 1s to 36525d"
        ),
        (
            #"{ devices: { "/dev/x": { role: "main" } } }"#,
            "devices./dev/x.role: unknown value `main`; known: primary"
        ),
        (
            #"{ sinks: { store: "sqlite", store: "stdout" } }"#,
            "sinks.store: line 1, column 29: duplicate key"
        ),
        (#"{ sources: { foot: "serial" }"#, "line 1, column"),
        (#"{ sources: "#, "line 1, column"),
        (#"steps"#, "line 1, column"),
    ]
}
