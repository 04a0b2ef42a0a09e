import Foundation
import GatewayTesting
import Glibc
import HealthModel
import HealthStore
import SQLiteStore
import Serial
import XCTest

/// The package of PackageOutside.md, which is not in this repository's package: it builds, its tests
/// pass, and its command is a whole gateway with its own protocol, type and sink.
///
/// Packages that use a copy of this one are built in the copy's folder, where most of what they need is already.
struct PackagesOutside {
    private static let example = "Tests/Fixtures/OutsidePackage"
    /// 34.00, 34.12 and 34.15 degrees, the third in two pieces, with noise before the second.
    private static let pieces: [[UInt8]] = [
        [0xA5, 0x5A, 0x48, 0x0D, 0x57, 0x9C, 0x5A], [0xA5, 0x5A, 0x54, 0x0D, 0x57, 0xC4],
        [0xA5, 0x5A, 0x57], [0x0D, 0x57, 0x79],
    ]

    private let home: Home
    /// Where the copy of this package was built.
    private let scratch: String

    init(besides package: PackageCopy, in home: Home) {
        self.home = home
        scratch = "\(package.path)/.build"
    }

    /// Builds all of them beside the copy of this package, and runs their tests and programs.
    func check() async throws {
        let folder = home.folder.path("mygate")
        try FileManager.default.copyItem(
            atPath: "\(PackageBuild.root)/\(Self.example)", toPath: folder)
        let build = try PackageBuild(folder, in: home)
        let (ending, output) = try await build.run("swift test --scratch-path '\(scratch)'")
        guard ending == .exited(0), output.contains("Executed 3 tests, with 0 failures") else {
            return XCTFail("swift test: \(ending) \(output.suffix(4_000))")
        }
        XCTAssertFalse(output.contains("warning:"), output)
        let command = "\(scratch)/debug/mygate"
        try Self.assertLinksWhatItShould("\(scratch)/debug")
        try await assertSimulates(command)
        try await assertReadsItsPort(command)
        try await assertNewPackageBuilds()
        try await assertStoreProgramReads()
    }

    /// The program of UseTheStore.md, which links no gateway, reads a store.
    private func assertStoreProgramReads() async throws {
        let folder = home.folder.path("lastmonth")
        try FileManager.default.copyItem(
            atPath: "\(PackageBuild.root)/Tests/Fixtures/StoreProgram", toPath: folder)
        let build = try PackageBuild(folder, in: home)
        let (ending, output) = try await build.run("swift build --scratch-path '\(scratch)'")
        XCTAssertEqual(ending, .exited(0), String(output.suffix(4_000)))
        XCTAssertFalse(output.contains("warning:"), output)
        let store = home.folder.path("month.sqlite")
        try await Self.fill(store)
        let command = "\(scratch)/debug/lastmonth"
        let month = try await run([command, store])
        XCTAssertEqual(
            month.output,
            """
            stepCount: 6000.0 count, 3000.0 on each of 2 days
            distanceWalkingRunning: 4.5 km, 4.5 on each of 1 days
            flightsClimbed: no samples

            """, month.error)
        let missing = try await run([command, "\(store)-none"])
        XCTAssertEqual(missing.ending, .exited(1))
        XCTAssertEqual(missing.output, "lastmonth: no store at \(store)-none\n")
    }

    /// Stores steps of two days, one distance, and steps that are older than a month.
    private static func fill(_ path: String) async throws {
        let now = Instant(nanosecondsSince1970: Int64(Date().timeIntervalSince1970 * 1e9))
        func record(
            _ type: QuantityType, _ value: Double, _ unit: HealthModel.Unit, daysAgo days: Int64
        ) throws -> Record {
            let end = now.adding(nanoseconds: -days * 86_400_000_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID(high: UInt64(days), low: UInt64(value)), type: type,
                    start: end.adding(nanoseconds: -1_000_000), end: end,
                    quantity: Quantity(value, unit)))
        }
        let results = try await SQLiteHealthStore(opening: path).save([
            record(.stepCount, 4_000, .count, daysAgo: 3),
            record(.stepCount, 2_000, .count, daysAgo: 10),
            record(.stepCount, 9_000, .count, daysAgo: 40),
            record(.distanceWalkingRunning, 4_500, .meter, daysAgo: 3),
        ])
        XCTAssertEqual(results, Array(repeating: .stored, count: 4))
    }

    /// A package of `new` with a plugin of each kind, which has short names here.
    private func assertNewPackageBuilds() async throws {
        let folder = home.folder.path("newgate")
        let first = [
            "adapter", "Pod", "--transport", "serial", "--package", "\(home.folder.path)/pulsegate",
        ]
        for words in [
            first, ["adapter", "Ear", "--transport", "bluetooth"], ["sink", "Bin"],
            ["source", "Fever"], ["service", "Dial"],
            ["adapter", "Tick", "--transport", "exec"],
        ] {
            let outcome = try await home.run(["new"] + words + ["--directory", folder])
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        let build = try PackageBuild(folder, in: home)
        let lint = try await build.run("swift format lint --strict --recursive .")
        XCTAssertEqual(lint.ending, .exited(0), lint.output)
        let (ending, output) = try await build.run("swift test --scratch-path '\(scratch)'")
        guard ending == .exited(0), output.contains("Executed 31 tests, with 0 failures") else {
            return XCTFail("swift test: \(ending) \(output.suffix(4_000))")
        }
        XCTAssertFalse(output.contains("warning:"), output)
    }

    private func assertSimulates(_ command: String) async throws {
        let outcome = try await run([command, "run", "--simulate", "--for", "10"])
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.output.contains(#""type":"heartRate""#), outcome.output)
    }

    /// Feeds its protocol through a pseudo-terminal, and looks into its store and its own sink.
    private func assertReadsItsPort(_ command: String) async throws {
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { arm: { use: "serial", port: { path: "\(port.slavePath)" },
                                protocol: "skinPatch" } },
              sinks: { store: "sqlite", lines: "stdout",
                       bar: { use: "newestValues", path: "newest.txt" } } }
            """)
        let check = try await run([command, "check"])
        XCTAssertEqual(check.ending, .exited(0), check.error)
        let gateway = try RunningCommand(
            [command, "run"], in: home.folder, environment: home.environment, output: .pipe)
        try await gateway.waitForLines(with: "arm: connected", on: .error)
        for piece in Self.pieces { try port.write(piece) }
        try await gateway.waitForLines(3, with: #""type":"skinPatchTemperature""#, on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let query = try await run([command, "query", "skinPatchTemperature", "--format", "csv"])
        let values = query.output.split(separator: "\r\n").dropFirst()
            .map { $0.split(separator: ",")[4] }
        XCTAssertEqual(values, ["34", "34.12", "34.15"], query.output + query.error)
        let newest = try String(contentsOfFile: "\(home.dataDirectory)/newest.txt", encoding: .utf8)
        XCTAssertEqual(newest, "skinPatchTemperature 34.15 degC\n")
    }

    /// The command has `PulsegateEarlyStart` and no Foundation; its tests are the other way round.
    private static func assertLinksWhatItShould(_ build: String) throws {
        for (name, isCommand) in [("mygate", true), ("mygatePackageTests.xctest", false)] {
            let program = try Data(contentsOf: URL(fileURLWithPath: "\(build)/\(name)"))
            XCTAssertEqual(program.range(of: Data(".preinit_array\0".utf8)) != nil, isCommand, name)
            XCTAssertEqual(program.range(of: Data("libFoundation.so".utf8)) == nil, isCommand, name)
        }
    }

    private func run(_ words: [String]) async throws -> Home.Outcome {
        let command = try RunningCommand(
            words, in: home.folder, environment: home.environment, output: .pipe)
        let ending = try await command.waitForEnd()
        return Home.Outcome(
            ending: ending, output: await command.text(of: .output),
            error: await command.text(of: .error))
    }
}
