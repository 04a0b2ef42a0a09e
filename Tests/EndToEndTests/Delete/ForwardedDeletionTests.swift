import Foundation
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import SQLite
import XCTest

/// The sinks beside the store are told which records were deleted from it.
final class ForwardedDeletionTests: XCTestCase {
    /// A home with a store and a repository, whose gateway has no device.
    private func makeHome(
        _ repository: KeepingRepository, sinks: String = ""
    ) throws -> (Home, ScriptedHTTPServer) {
        let home = try Home()
        let server = try repository.makeServer()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "/dev/pulsegate-missing" },
                protocol: "hxm" } },
              sinks: { store: "sqlite", \(sinks)
                repository: { use: "http", url: "\(server.url("/v1/samples"))" } } }
            """)
        return (home, server)
    }

    private func start(_ home: Home) async throws -> RunningCommand {
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "running", on: .error)
        return gateway
    }

    private func stop(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }

    private func add(_ count: Int, _ home: Home) async throws {
        for number in 0..<count {
            let outcome = try await home.run("add", "bodyMass", "\(70 + number)", "kg")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
    }

    private func ids(_ home: Home) async throws -> [RecordID] {
        try await home.samples(of: .bodyMass).map(\.id)
    }

    /// The number of samples in a file; nil when it cannot be read now.
    private static func count(_ path: String) -> Int64? {
        let store = try? SQLiteConnection(path: path, access: .readOnly)
        let count = try? store?.prepare("SELECT count(*) FROM sample")
        return (try? count?.step()) == true ? count?.integer(at: 0) : nil
    }

    /// The samples in a repository, without the device events.
    private static func samples(_ repository: KeepingRepository) -> [RecordID] {
        repository.records.values.filter { $0.type != nil }.map(\.id)
    }

    private func waits(
        _ gateway: RunningCommand, _ condition: @escaping @Sendable () -> Bool
    ) async -> Bool {
        await gateway.waits(within: RunningCommand.timeoutSeconds) { _ in condition() }
    }

    func testDeletion_reachesTheRepository_whileTheGatewayRuns_andAtItsNextStart() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(repository)
        defer { withExtendedLifetime(server) {} }
        let gateway = try await start(home)
        try await add(3, home)
        let ids = try await ids(home)
        let first = try await home.run("delete", "sample", "\(ids[0])", "--yes")
        XCTAssertEqual(
            first.error,
            "pulsegate: note: the running gateway forwards the deletion to `repository`\n")
        let isTold = await waits(gateway) {
            repository.deletions.map(\.id) == [ids[0]] && repository.records.count == 2
        }
        XCTAssertTrue(isTold)
        XCTAssertEqual(repository.deletions.map(\.typeName), ["bodyMass"])
        let status = try await home.run("status", "--json")
        XCTAssertTrue(status.output.contains(#""balanced":true"#), status.output)
        try await stop(gateway)

        let second = try await home.run("delete", "sample", "\(ids[1])", "--yes")
        XCTAssertEqual(
            second.error,
            "pulsegate: note: the next gateway forwards the deletion to `repository`\n")
        XCTAssertEqual(repository.records.count, 2)
        let next = try await start(home)
        let isToldToo = await waits(next) { repository.records.count == 1 }
        XCTAssertTrue(isToldToo)
        try await stop(next)
        XCTAssertEqual(repository.deletions.map(\.id), Array(ids.prefix(2)))
        XCTAssertEqual(Array(repository.records.keys), [ids[2]])
        XCTAssertEqual(repository.findings, [])
    }

    /// Nobody reads from such a pipe, for which the gateway would wait.
    func testPipeInThePlaceOfTheAnchor_isReported_andNotWaitedFor() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(repository)
        defer { withExtendedLifetime(server) {} }
        try await add(1, home)
        XCTAssertEqual(mkfifo("\(home.dataDirectory)/deletions.anchor", 0o600), 0)
        let gateway = try await start(home)
        try await gateway.waitForLines(with: "deletions.anchor: not a regular file", on: .error)
        try await stop(gateway)
    }

    /// A source sends two versions of a record; the store keeps the later one, and the next start deletes
    /// the earlier one from the repository.
    func testAnEarlierVersion_isDeletedFromTheRepository() async throws {
        let repository = KeepingRepository()
        let server = try repository.makeServer()
        defer { withExtendedLifetime(server) {} }
        let home = try Home()
        let lines = (1...2).map { version in
            """
            {"type":"bodyMass","start":"2026-01-01T10:00:00Z","end":"2026-01-01T10:00:00Z",\
            "value":\(70 + version),"unit":"kg","id":"0199f3c2-0000-8000-8000-00000000000\(version)",\
            "metadata":{"HKMetadataKeySyncIdentifier":"w","HKMetadataKeySyncVersion":\(version)}}
            """
        }
        let file = try home.write(lines.joined(separator: "\n") + "\n", to: "lines")
        // It prints the lines once.
        let script = "cat \(file) 2>/dev/null && rm \(file); exec cat > /dev/null"
        try home.configure(
            """
            { sources: { app: { use: "exec", command: ["sh", "-c", "\(script)"] } },
              sinks: { store: "sqlite",
                repository: { use: "http", url: "\(server.url("/v1/samples"))" } } }
            """)
        let first = try await start(home)
        let path = home.dataDirectory + "/health.sqlite"
        let hasBoth = await waits(first) {
            Self.samples(repository).count == 2 && Self.count(path) == 1
        }
        XCTAssertTrue(hasBoth)
        try await stop(first)
        XCTAssertEqual(repository.deletions, [])
        let next = try await start(home)
        let isTold = await waits(next) { Self.samples(repository).count == 1 }
        XCTAssertTrue(isTold)
        try await stop(next)
        XCTAssertEqual(repository.deletions.map(\.typeName), ["bodyMass"])
        let stored = try await home.samples(of: .bodyMass)
        XCTAssertEqual(stored.map(\.quantity.value), [72])
        XCTAssertEqual(Self.samples(repository), stored.map(\.id))
    }

    /// What waits in the journal for a repository that is away goes before its deletion.
    func testDeletion_ofARecordThatIsNotDeliveredYet_followsIt() async throws {
        let repository = KeepingRepository { _ in .fail(.close) }
        let (home, server) = try makeHome(repository)
        defer { withExtendedLifetime(server) {} }
        let gateway = try await start(home)
        try await add(2, home)
        let ids = try await ids(home)
        let deleted = try await home.run("delete", "sample", "\(ids[0])", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        repository.set { _ in .keep }
        let isTold = await waits(gateway) { repository.deletions.map(\.id) == [ids[0]] }
        XCTAssertTrue(isTold)
        XCTAssertEqual(Array(repository.records.keys), [ids[1]])
        try await stop(gateway)
    }

    /// A deletion may be forwarded again after a kill, which is harmless; none is forgotten.
    func testKills_forgetNoDeletion() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(repository)
        defer { withExtendedLifetime(server) {} }
        for round in 0..<4 {
            let gateway = try await start(home)
            try await add(3, home)
            let ids = try await ids(home)
            let deletion = try home.start(
                "delete", "sample", "\(ids[0])", "\(ids[1])", "--yes", output: .pipe)
            await gateway.letRun(seconds: [0, 0.02, 0.08, 0.2][round])
            await gateway.send(SIGKILL)
            try await gateway.waitForEnd()
            let ending = try await deletion.waitForEnd()
            XCTAssertEqual(ending, .exited(0))
        }
        let left = Set(try await ids(home))
        XCTAssertEqual(left.count, 4)
        let gateway = try await start(home)
        let isTold = await waits(gateway) {
            Set(repository.records.keys) == left && Set(repository.deletions.map(\.id)).count == 8
        }
        XCTAssertTrue(isTold, "\(repository.deletions.count) deletions")
        try await stop(gateway)
        XCTAssertEqual(repository.findings, [])
    }

    func testPerson_isDeletedFromAMirror_andASinkThatCannotBeToldIsNamed() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(
            repository,
            sinks: """
                zMirror: { use: "sqlite", path: "mirror.sqlite" },
                tsdb: { use: "http", url: "http://127.0.0.1:9/", format: "influx" },
                xSteps: { use: "sqlite", path: "steps.sqlite", types: ["stepCount"] },
                """)
        defer { withExtendedLifetime(server) {} }
        let known = try await home.run("people", "set", "ada")
        XCTAssertEqual(known.ending, .exited(0), known.error)
        let gateway = try await start(home)
        for person in ["ada", "ada", "me"] {
            let added = try await home.run("add", "bodyMass", "70", "kg", "--person", person)
            XCTAssertEqual(added.ending, .exited(0), added.error)
        }
        let mirror = "\(home.dataDirectory)/mirror.sqlite"
        let isThere = await gateway.waits(within: RunningCommand.timeoutSeconds) { _ in
            Self.count(mirror) == 3
        }
        XCTAssertTrue(isThere)
        let outcome = try await home.run("delete", "person", "ada", "--yes")
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(
            outcome.error.contains(
                "note: the sink `tsdb` does not accept deletions; delete the records there"),
            outcome.error)
        XCTAssertTrue(
            outcome.error.contains(
                "note: the running gateway forwards the deletion to `repository`, `xSteps`, "),
            outcome.error)
        let isDeleted = await gateway.waits(within: RunningCommand.timeoutSeconds) { _ in
            Self.count(mirror) == 1
        }
        XCTAssertTrue(isDeleted)
        try await stop(gateway)
        XCTAssertEqual(repository.deletions.count, 2)
        XCTAssertEqual(repository.records.values.map(\.person), ["me"])
    }

    /// A store that was replaced by an earlier copy knows less; nothing is sent that is not deleted.
    func testStoreFromABackup_tellsOnlyOfItsOwnDeletions() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(repository)
        defer { withExtendedLifetime(server) {} }
        let gateway = try await start(home)
        try await add(3, home)
        try await stop(gateway)
        let ids = try await ids(home)
        let store = "\(home.dataDirectory)/health.sqlite"
        try FileManager.default.copyItem(atPath: store, toPath: store + ".copy")
        _ = try await home.run("delete", "sample", "\(ids[0])", "--yes")
        let second = try await start(home)
        let isTold = await waits(second) { repository.records.count == 2 }
        XCTAssertTrue(isTold)
        try await stop(second)
        for suffix in ["-wal", "-shm"] { unlink(store + suffix) }
        XCTAssertEqual(rename(store + ".copy", store), 0)
        _ = try await home.run("delete", "sample", "\(ids[1])", "--yes")
        let third = try await start(home)
        let isToldAgain = await waits(third) { repository.deletions.map(\.id).contains(ids[1]) }
        XCTAssertTrue(isToldAgain)
        try await stop(third)
        XCTAssertEqual(repository.deletions.map(\.id), Array(ids.prefix(2)))
        XCTAssertEqual(Array(repository.records.keys), [ids[2]])
    }

    /// The running gateway remembers the ids of the first import, and the mirror has the deletion.
    func testWorkout_thatIsImportedAgain_isInTheStoreAndInTheMirror() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(
            repository, sinks: #"zMirror: { use: "sqlite", path: "mirror.sqlite" },"#)
        defer { withExtendedLifetime(server) {} }
        let points = (10..<13).map { minute in
            "<Trackpoint><Time>2026-11-20T08:\(minute):00Z</Time><HeartRateBpm><Value>120</Value>"
                + "</HeartRateBpm></Trackpoint>"
        }
        let path = try home.write(
            """
            <TrainingCenterDatabase><Activities><Activity Sport="Running">
            <Id>2026-11-20T08:10:00Z</Id><Lap StartTime="2026-11-20T08:10:00Z">
            <TotalTimeSeconds>120</TotalTimeSeconds><Track>\(points.joined())</Track></Lap>
            </Activity></Activities></TrainingCenterDatabase>
            """, to: "run.tcx")
        let gateway = try await start(home)
        let mirror = "\(home.dataDirectory)/mirror.sqlite"
        for round in 0..<3 {
            let imported = try await home.run("import", path)
            XCTAssertEqual(imported.ending, .exited(0), imported.error)
            XCTAssertEqual(imported.error, "", "round \(round)")
            let count = try await home.count("heartRate")
            XCTAssertEqual(count, 3, "round \(round)")
            let isThere = await waits(gateway) {
                Self.count(mirror) == 3 && repository.records.count == 4
            }
            XCTAssertTrue(isThere, "round \(round)")
            let deleted = try await home.run("delete", "import", path, "--yes")
            XCTAssertTrue(deleted.output.hasSuffix("4 records deleted\n"), deleted.output)
            let isGone = await waits(gateway) {
                Self.count(mirror) == 0 && repository.records.isEmpty
            }
            XCTAssertTrue(isGone, "round \(round)")
        }
        try await stop(gateway)
        XCTAssertEqual(repository.findings, [])
    }

    /// Whatever is in the file of the place, the sinks get the deletions; at worst all of them again.
    func testDamagedPlace_tellsAllAgain() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(repository)
        defer { withExtendedLifetime(server) {} }
        let gateway = try await start(home)
        try await add(4, home)
        try await stop(gateway)
        let ids = try await ids(home)
        let place = "\(home.dataDirectory)/deletions.anchor"
        let large = String(repeating: "x", count: 2 << 20)
        for (round, text) in ["", "nonsense\n", large, "1.2.3\n"].enumerated() {
            try text.write(toFile: place, atomically: true, encoding: .utf8)
            let deleted = try await home.run("delete", "sample", "\(ids[round])", "--yes")
            XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
            let next = try await start(home)
            let isTold = await waits(next) { repository.records.count == 3 - round }
            XCTAssertTrue(isTold, "round \(round)")
            try await stop(next)
        }
        XCTAssertEqual(Set(repository.deletions.map(\.id)), Set(ids))
    }

    /// What waits in a journal in memory is lost at the stop, but the next run forwards all again.
    func testJournalInMemory_tellsAllDeletionsInEachRun() async throws {
        let repository = KeepingRepository()
        let (home, server) = try makeHome(repository)
        defer { withExtendedLifetime(server) {} }
        let text = try String(contentsOfFile: home.configurationPath, encoding: .utf8)
        try home.configure(
            text.replacingOccurrences(of: "{ sources", with: #"{ journal: "memory", sources"#))
        let gateway = try await start(home)
        try await add(1, home)
        let isThere = await waits(gateway) { repository.records.count == 1 }
        XCTAssertTrue(isThere)
        repository.set { _ in .fail(.close) }
        let deleted = try await home.run("delete", "sample", "bodyMass", "--yes")
        XCTAssertEqual(deleted.ending, .exited(0), deleted.error)
        try await stop(gateway)
        repository.set { _ in .keep }
        let next = try await start(home)
        let isTold = await waits(next) { repository.records.isEmpty }
        XCTAssertTrue(isTold)
        try await stop(next)
    }
}
