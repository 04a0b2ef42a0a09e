import Foundation
import GatewayTesting
import HealthModel
import XCTest

/// The import of a workout in parts: interrupted, and twice at the same moment.
final class WorkoutImportPartsTests: XCTestCase {
    private static let count = 4_000
    private static let types: [QuantityType] = [
        .heartRate, .runningSpeed, .distanceWalkingRunning, .activeEnergyBurned,
    ]

    private func time(_ second: Int) -> String {
        String(
            format: "2026-11-20T%02d:%02d:%02dZ", 8 + second / 3_600, second / 60 % 60, second % 60)
    }

    /// A run of some hours with a point each second.
    private func run(_ count: Int = count) -> String {
        let points = (0..<count).map { second in
            "<Trackpoint><Time>\(time(second))</Time><DistanceMeters>\(second * 3)</DistanceMeters>"
                + "<HeartRateBpm><Value>\(120 + second % 40)</Value></HeartRateBpm><Extensions><TPX>"
                + "<Speed>3</Speed></TPX></Extensions></Trackpoint>\n"
        }
        return """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>\(time(0))</Id>
            <Lap StartTime="\(time(0))"><TotalTimeSeconds>\(count - 1)</TotalTimeSeconds>
            <DistanceMeters>\(count * 3 - 3)</DistanceMeters><Calories>\(count / 6)</Calories>
            <Track>\(points.joined())</Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """
    }

    private func write(_ text: String, to name: String, in home: Home) throws -> String {
        try home.folder.write(Array(text.utf8), to: name)
        return home.folder.path(name)
    }

    private func samples(_ home: Home) async throws -> [QuantitySample] {
        var samples: [QuantitySample] = []
        for type in Self.types { samples += try await home.samples(of: type) }
        return samples
    }

    /// Asserts that a store is that of one undisturbed import of files.
    private func assertSame(_ home: Home, as files: [String], line: UInt = #line) async throws {
        let alone = try Home()
        for (index, text) in files.enumerated() {
            let outcome = try await alone.run(
                "import", write(text, to: "\(index).tcx", in: alone))
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
        }
        let (found, expected) = (try await samples(home), try await samples(alone))
        XCTAssertGreaterThan(expected.count, 2 * Self.count, line: line)
        XCTAssertEqual(found.count, expected.count, line: line)
        XCTAssertTrue(found == expected, "other samples", line: line)
        let workouts = (try await home.workouts(), try await alone.workouts())
        XCTAssertEqual(workouts.0, workouts.1, line: line)
    }

    private func storedCount(_ home: Home) async -> Int {
        (try? await home.samples(of: .heartRate).count) ?? 0
    }

    /// Kills an import when the store has more heart rates than before; returns whether it did.
    private func killImport(of path: String, into home: Home) async throws -> Bool {
        let before = await storedCount(home)
        let command = try home.start("import", path)
        for _ in 0..<3_000 {
            if await storedCount(home) > before { break }
            await command.letRun(seconds: 0.01)
        }
        await command.send(SIGKILL)
        guard case .killed = try await command.waitForEnd() else { return false }
        return true
    }

    func testAKilledImport_isRepeated_asIfItHadNotBeenKilled() async throws {
        let home = try Home()
        let path = try write(run(), to: "run.tcx", in: home)
        guard try await killImport(of: path, into: home) else {
            return XCTFail("the import has ended before it was killed")
        }
        let again = try await home.run("import", path)
        XCTAssertEqual(again.ending, .exited(0), again.error)
        XCTAssertTrue(
            again.error.contains("the interrupted import is complete: imported running"),
            again.error)
        XCTAssertTrue(again.output.contains("is already in the store"), again.output)
        try await assertSame(home, as: [run()])
        let third = try await home.run("import", path)
        XCTAssertTrue(third.output.contains("is already in the store"), third.output)
    }

    /// A longer file completes a shorter one; that is killed, too.
    func testAKilledCompletion_isRepeated_asIfItHadNotBeenKilled() async throws {
        let home = try Home()
        let part = run(600)
        let first = try await home.run("import", write(part, to: "part.tcx", in: home))
        XCTAssertEqual(first.ending, .exited(0), first.error)
        let path = try write(run(), to: "run.tcx", in: home)
        guard try await killImport(of: path, into: home) else {
            return XCTFail("the import has ended before it was killed")
        }
        let again = try await home.run("import", path)
        XCTAssertEqual(again.ending, .exited(0), again.error)
        XCTAssertTrue(
            again.error.contains("the interrupted import is complete: completed running"),
            again.error)
        try await assertSame(home, as: [part, run()])
    }

    private func runGateway(_ home: Home) async throws -> String {
        let gateway = try await home.startIdleGateway()
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        return await gateway.text(of: .error)
    }

    /// Also when the file that was imported is gone.
    func testAKilledImport_isCompletedByTheNextGateway() async throws {
        let home = try Home()
        let path = try write(run(), to: "run.tcx", in: home)
        guard try await killImport(of: path, into: home) else {
            return XCTFail("the import has ended before it was killed")
        }
        try FileManager.default.removeItem(atPath: path)
        let log = try await runGateway(home)
        XCTAssertTrue(
            log.contains("run.tcx: the interrupted import is complete: imported running"), log)
        try await assertSame(home, as: [run()])
        let next = try await runGateway(home)
        XCTAssertFalse(next.contains("import"), next)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: "\(home.dataDirectory)/imports")
        XCTAssertEqual(names, [])
    }

    /// With a gateway that is running, and that is killed, too.
    func testAnImport_whoseGatewayIsKilled_isCompletedByTheNextImport() async throws {
        let home = try Home()
        let gateway = try await home.startIdleGateway()
        let path = try write(run(), to: "run.tcx", in: home)
        let killed = try await killImport(of: path, into: home)
        XCTAssertTrue(killed, "the import has ended before it was killed")
        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd()
        let text = run(60).replacing("2026-11-20", with: "2026-11-19")
        let other = try write(text, to: "a.tcx", in: home)
        let outcome = try await home.run("import", other)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertTrue(outcome.error.contains("run.tcx: the interrupted import is complete"))
        try FileManager.default.removeItem(atPath: other)
        let workouts = try await home.workouts()
        XCTAssertEqual(workouts.count, 2)
        let undone = try await home.run("delete", "import", path, "--yes")
        XCTAssertEqual(undone.ending, .exited(0), undone.error)
        let rest = (try await samples(home).count, try await home.workouts().count)
        XCTAssertGreaterThan(rest.0, 100)
        XCTAssertLessThan(rest.0, 1_000)
        XCTAssertEqual(rest.1, 1)
    }

    func testTheSameWorkoutInTwoFormatsAtOnce_isOne() async throws {
        let source = try Home()
        let path = try write(run(), to: "run.tcx", in: source)
        let first = try await source.run("import", path)
        XCTAssertEqual(first.ending, .exited(0), first.error)
        let fit = source.folder.path("run.fit")
        let export = try await source.run("workout", "export", fit)
        XCTAssertEqual(export.ending, .exited(0), export.error)
        for _ in 0..<3 {
            let home = try Home()
            let commands = (try home.start("import", path), try home.start("import", fit))
            for command in [commands.0, commands.1] {
                let ending = try await command.waitForEnd()
                let error = await command.text(of: .error)
                XCTAssertEqual(ending, .exited(0), error)
            }
            let workouts = try await home.workouts()
            XCTAssertEqual(workouts.count, 1)
            let count = try await home.samples(of: .heartRate).count
            XCTAssertEqual(count, Self.count)
        }
    }

    func testTwoImportsAtOnce_areOne() async throws {
        let home = try Home()
        let path = try write(run(), to: "run.tcx", in: home)
        let (first, second) = (try home.start("import", path), try home.start("import", path))
        for command in [first, second] {
            let ending = try await command.waitForEnd()
            let error = await command.text(of: .error)
            XCTAssertEqual(ending, .exited(0), error)
            XCTAssertEqual(error, "")
        }
        try await assertSame(home, as: [run()])
    }

    func testTwoImportsOfRecordsAtOnce_areOne() async throws {
        let home = try Home()
        let lines = (0..<20_000).map { number in
            let moment = "2026-01-01T\(time(number % 15_000).dropFirst(11))"
            return "{\"type\":\"heartRate\",\"start\":\"\(moment)\",\"end\":\"\(moment)\","
                + "\"value\":\(60 + number % 60),\"unit\":\"count/min\"}\n"
        }
        let path = try write(lines.joined(), to: "large.ndjson", in: home)
        let count = Set(lines).count
        let commands = (try home.start("import", path), try home.start("import", path))
        var stored = 0
        for command in [commands.0, commands.1] {
            let ending = try await command.waitForEnd()
            let error = await command.text(of: .error)
            XCTAssertEqual(ending, .exited(0), error)
            XCTAssertEqual(error, "")
            let numbers = await command.text(of: .output).split(separator: " ").compactMap {
                Int($0)
            }
            XCTAssertEqual(numbers.reduce(0, +), lines.count)
            stored += numbers.first ?? 0
        }
        XCTAssertEqual(stored, count, "each record was imported by one of the two")
        let samples = try await home.samples(of: .heartRate)
        XCTAssertEqual(samples.count, count)
    }
}
