import Foundation
import GatewayTesting
import Glibc
import HealthModel
import XCTest

/// `run --simulate`: at a terminal, in a pipe, and what it leaves on the disk.
final class SimulationTests: XCTestCase {
    func testAtATerminal_bothDevicesHaveALineWithValuesUnitsAndCount() async throws {
        let gateway = try Home().start("run", "--simulate", output: .terminal)
        try await gateway.waitForLines(with: "count/min", on: .output)
        try await gateway.waitForLines(with: "stepCount", on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let strap = await gateway.lines(of: .output, with: "Simulated Strap").last ?? ""
        XCTAssertTrue(strap.contains("disconnected"), "the last line shows the end: \(strap)")
        XCTAssertTrue(
            strap.contains(/heartRate [0-9]+ count\/min .*[1-9][0-9]* samples/), "\(strap)")
        let foot = await gateway.lines(of: .output, with: "Simulated Pedometer").last ?? ""
        XCTAssertTrue(foot.contains(/stepCount [0-9]+ count .*[1-9][0-9]* samples/), "\(foot)")
        let json = await gateway.lines(of: .output, with: "{")
        XCTAssertEqual(json, [])
        // Standard error is a pipe here: the log goes there, and the terminal has the lines alone.
        let log = await gateway.text(of: .error)
        XCTAssertTrue(log.contains("strap: connected"), log)
        let logged = await gateway.lines(of: .output, with: "strap: connected")
        XCTAssertEqual(logged, [])
    }

    func testInAPipe_everyLineIsARecordAndIsStored() async throws {
        let home = try Home()
        let outcome = try await home.run(
            "run", "--simulate", until: #""type":"heartRate""#, count: 4)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        var decoder = RecordDecoder()
        var types: [String: Int] = [:]
        for line in outcome.output.utf8.split(separator: UInt8(ascii: "\n")) {
            let record = try decoder.decode(Array(line))
            types[record.typeName ?? "event", default: 0] += 1
        }
        XCTAssertEqual(Set(types.keys).subtracting(Self.types), [])
        XCTAssertGreaterThanOrEqual(types["heartRate", default: 0], 2)
        XCTAssertGreaterThanOrEqual(types["stepCount", default: 0], 1)
        let stored = try await Home.samples(
            of: .heartRate, inStoreAt: "\(home.dataDirectory)/simulation/health.sqlite")
        XCTAssertEqual(stored.count, types["heartRate"])
    }

    func testOnDisk_aDamagedJournalOfAnEarlierVersionIsPutAside_andItContinues() async throws {
        let home = try Home()
        try home.folder.makeFolder("data/pulsegate/simulation")
        let noise = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7_919 >> 3) }
        try home.folder.write(noise, to: "data/pulsegate/simulation/journal.sqlite")
        let outcome = try await home.run("run", "--simulate", "--for", "1")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.error.contains("repaired the corrupt journal"), outcome.error)
        XCTAssertFalse(outcome.error.contains("does not close"), outcome.error)
        let names = try home.folder.permissions().keys.map { String($0) }
        let aside = names.first { $0.contains("journal.sqlite.damaged-") }
        let kept = try FileManager.default.contents(
            atPath: home.folder.path(XCTUnwrap(aside, "\(names)")))
        XCTAssertEqual(kept.map(Array.init), noise)
    }

    func testWithSinks_theConfiguredSinksGetIt_markedAsSimulated() async throws {
        let home = try Home()
        let own = home.folder.path("own.sqlite")
        try home.configure(
            """
            { sinks: { own: { use: "sqlite", path: "\(own)" }, lines: { use: "stdout" },
              hearts: { use: "sqlite", path: "hearts.sqlite", types: ["heartRate"] } } }
            """)
        let outcome = try await home.run(
            "run", "--simulate", "--sinks", until: #""type":"heartRate""#, count: 3)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        var decoder = RecordDecoder()
        var printed: [QuantitySample] = []
        for line in outcome.output.utf8.split(separator: UInt8(ascii: "\n")) {
            guard case .sample(let sample) = try decoder.decode(Array(line)) else { continue }
            printed.append(sample)
        }
        let hearts = printed.filter { $0.type == .heartRate }
        XCTAssertGreaterThanOrEqual(hearts.count, 3)
        for sample in printed {
            let device = sample.device?.localIdentifier ?? "none"
            XCTAssertTrue(device.hasPrefix("simulated-"), device)
        }
        let simulation = "\(home.dataDirectory)/simulation"
        for path in [own, "\(simulation)/hearts.sqlite"] {
            let stored = try await Home.samples(of: .heartRate, inStoreAt: path)
            XCTAssertEqual(stored.map(\.id), hearts.map(\.id), path)
        }
        for path in ["\(simulation)/health.sqlite", "\(home.dataDirectory)/journal"] {
            XCTAssertFalse(FileManager.default.fileExists(atPath: path), path)
        }
    }

    func testWithSinks_withoutAConfiguration_theStoreOfTheSimulationGetsIt() async throws {
        let home = try Home()
        let outcome = try await home.run("run", "--simulate", "--sinks", "--for", "3")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(outcome.output.filter { $0 == "{" }, "", "no line sink is configured")
        let query = try await home.run("query", "heartRate", "--simulate", "--format", "ndjson")
        XCTAssertTrue(query.output.contains("simulated-strap"), query.output + query.error)
    }

    func testAfterARunWithSinks_whatWaitsForOneThatIsMissing_isNotDroppedInSilence() async throws {
        let home = try Home()
        try home.configure(
            #"{ sinks: { store: { use: "sqlite" }, web: { use: "http", url: "http://127.0.0.1:9" } } }"#
        )
        let first = try home.start("run", "--simulate", "--sinks")
        try await first.waitForLines(with: "web: cannot write", on: .error)
        await first.send(SIGTERM)
        try await first.waitForEnd(within: 10)
        var removed: [Int] = []
        for _ in 0..<2 {
            let second = try await home.run("run", "--simulate", "--for", "1")
            XCTAssertEqual(second.ending, .exited(0))
            let log = second.error.split(separator: "\n").filter { $0.contains("sink removed") }
            XCTAssertTrue(log.allSatisfy { $0.contains("sink=web") }, second.error)
            removed.append(log.count)
        }
        XCTAssertEqual(removed, [1, 0])
    }

    func testWithSinks_withoutASimulation_isRefused() async throws {
        let outcome = try await Home().run("run", "--sinks")
        XCTAssertEqual(outcome.ending, .exited(64), outcome.error)
        XCTAssertEqual(outcome.error, "pulsegate: --sinks requires --simulate\n")
    }

    func testInAPipe_whenTheReaderLeaves_itEnds() async throws {
        let gateway = try Home().start("run", "--simulate")
        try await gateway.waitForLines(with: "heartRate", on: .output)
        await gateway.closeOutput()
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let log = await gateway.text(of: .error)
        for word in ["error", "warning", "cannot write"] {
            XCTAssertFalse(log.contains(word), log)
        }
    }

    /// The lines of a run end with it: a next one neither misses nor repeats them.
    func testAfterAPipedRun_theNextOneKnowsNothingOfItsLines() async throws {
        let home = try Home()
        let first = try home.start("run", "--simulate")
        try await first.waitForLines(with: "heartRate", on: .output)
        await first.closeOutput()
        try await first.waitForEnd(within: 10)
        let start = Instant(nanosecondsSince1970: Int64(Date().timeIntervalSince1970 * 1e9))
        let piped = try await home.run("run", "--simulate", until: #""type":"heartRate""#)
        var decoder = RecordDecoder()
        for line in piped.output.utf8.split(separator: UInt8(ascii: "\n")) {
            guard case .sample(let sample) = try decoder.decode(Array(line)) else { continue }
            XCTAssertGreaterThanOrEqual(sample.end, start)
        }
        let killed = try home.start("run", "--simulate")
        try await killed.waitForLines(with: "heartRate", on: .output)
        await killed.send(SIGKILL)
        try await killed.waitForEnd(within: 10)
        let terminal = try home.start("run", "--simulate", "--for", "1", output: .terminal)
        try await terminal.waitForEnd(within: 10)
        let log = await terminal.text(of: .error)
        XCTAssertFalse(log.contains("warning") || log.contains("sink removed"), log)
        XCTAssertFalse(log.contains("not balance"), log)
    }

    func testTheGreetingOfThePedometer_isNoWarning_andIsCounted() async throws {
        let home = try Home()
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "stepCount", on: .output)
        let status = try await home.run("status", "--simulate", "--json")
        await gateway.send(SIGTERM)
        try await gateway.waitForEnd(within: 10)
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("discarding"), log)
        XCTAssertTrue(status.output.contains(#""unknown":1"#), status.output)
    }

    func testOnDisk_everythingIsInTheSimulationFolderAndPrivate() async throws {
        let home = try Home()
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(with: "heartRate", on: .output)
        let permissions = try home.folder.permissions()
        await gateway.send(SIGINT)
        try await gateway.waitForEnd(within: 10)
        let folders: Set = [
            "data", "data/pulsegate", "data/pulsegate/simulation",
            "data/pulsegate/simulation/journal",
        ]
        for (path, bits) in permissions {
            XCTAssertTrue(
                folders.contains(path) || path.hasPrefix("data/pulsegate/simulation/"), path)
            XCTAssertEqual(bits, folders.contains(path) ? 0o700 : 0o600, path)
        }
        let names = Set(permissions.keys)
        for name in ["lock", "journal", "health.sqlite", "health.sqlite-wal"] {
            XCTAssertTrue(names.contains("data/pulsegate/simulation/\(name)"), name)
        }
    }

    private static let types: Set = [
        "heartRate", "rrInterval", "stepCount", "distanceWalkingRunning", "activeEnergyBurned",
        "event",
    ]
}
