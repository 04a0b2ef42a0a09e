import BluetoothTesting
import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import XCTest

/// Workouts go into files and come out of them again.
final class WorkoutFileTests: XCTestCase {
    private static let formats = ["fit", "tcx", "csv", "json"]

    /// A home with a workout of the simulation, whose gateway has ended.
    private func homeWithAWorkout(lines: Int = 6) async throws -> Home {
        let home = try Home()
        let command = try home.start("workout", "start", "--simulate", "--activity", "running")
        try await command.waitForLines(with: "running started", on: .output)
        let watch = try home.start("workout", "watch", "--json", "--simulate")
        try await watch.waitForLines(lines, with: #""rate":"#, on: .output)
        await command.send(SIGINT)
        let ending = try await command.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        return home
    }

    private func export(_ home: Home, _ path: String, _ more: String...) async throws
        -> Home.Outcome
    {
        try await home.run(["workout", "export", path, "--simulate"] + more)
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    // MARK: Export

    func testEveryFormat_goesIntoAFile_andAgainOverIt() async throws {
        let home = try await homeWithAWorkout()
        try home.folder.makeFolder("files")
        for format in Self.formats {
            let path = home.folder.path("files/run.\(format)")
            let first = try await export(home, path)
            XCTAssertEqual(first.ending, .exited(0), first.error)
            let once = try bytes(path)
            XCTAssertGreaterThan(once.count, 500)
            try Data("something else".utf8).write(to: URL(fileURLWithPath: path))
            let second = try await export(home, path)
            XCTAssertEqual(second.ending, .exited(0), second.error)
            XCTAssertEqual(try bytes(path), once, format)
        }
        let names = try FileManager.default.contentsOfDirectory(
            atPath: home.folder.path("files"))
        XCTAssertEqual(names.sorted(), Self.formats.map { "run.\($0)" }.sorted())
    }

    func testEveryFormat_goesIntoAPipe_asIntoAFile() async throws {
        let home = try await homeWithAWorkout()
        for format in Self.formats {
            let path = home.folder.path("run.\(format)")
            let file = try await export(home, path)
            XCTAssertEqual(file.ending, .exited(0), file.error)
            let piped = home.folder.path("piped")
            // The shell's $0 and $@ are the command.
            let outcome = try await home.run(
                ["workout", "export", "-", "--format", format, "--simulate"],
                prefix: ["/bin/sh", "-c", "\"$0\" \"$@\" | cat > '\(piped)'"])
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertEqual(try bytes(piped), try bytes(path), format)
        }
    }

    func testANamedPipe_staysOne_andGetsAll() async throws {
        let home = try await homeWithAWorkout()
        let (pipe, path) = (home.folder.path("pipe.csv"), home.folder.path("run.csv"))
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let file = try await export(home, path)
        XCTAssertEqual(file.ending, .exited(0), file.error)
        let read = home.folder.path("read")
        let outcome = try await home.run(
            ["workout", "export", pipe, "--simulate"],
            prefix: ["/bin/sh", "-c", "cat '\(pipe)' > '\(read)' & \"$0\" \"$@\" && wait"])
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(try bytes(read), try bytes(path))
        var status = stat()
        XCTAssertEqual(lstat(pipe, &status), 0)
        XCTAssertEqual(status.st_mode & S_IFMT, S_IFIFO)
    }

    func testALink_staysOne_andItsFileIsWritten() async throws {
        let home = try await homeWithAWorkout()
        try home.folder.makeFolder("far")
        try home.folder.write([], to: "far/run.csv")
        let link = home.folder.path("near.csv")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "far/run.csv")
        let outcome = try await export(home, link)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertEqual(
            try FileManager.default.destinationOfSymbolicLink(atPath: link), "far/run.csv")
        XCTAssertGreaterThan(try bytes(home.folder.path("far/run.csv")).count, 500)
    }

    func testWhatCannotBeWritten_isReported_withTheNameThatWasGiven() async throws {
        let home = try await homeWithAWorkout()
        try home.folder.makeFolder("folder.fit")
        for (name, reason) in [
            ("nowhere/run.fit", "No such file or directory"), ("folder.fit", "Is a directory"),
        ] {
            let path = home.folder.path(name)
            let outcome = try await export(home, path)
            XCTAssertEqual(outcome.ending, .exited(1))
            XCTAssertTrue(
                outcome.error.contains("cannot write \(path): \(reason)"), outcome.error)
        }
        let full = try await home.run(
            ["workout", "export", "-", "--format", "tcx", "--simulate"],
            prefix: ["/bin/sh", "-c", "\"$0\" \"$@\" > /dev/full"])
        XCTAssertEqual(full.ending, .exited(1))
        XCTAssertTrue(full.error.contains("cannot write to standard output"), full.error)
    }

    func testGPX_andUnknownFormats_areRejected() async throws {
        let home = try await homeWithAWorkout()
        let gpx = try await export(home, home.folder.path("run.gpx"))
        XCTAssertEqual(gpx.ending, .exited(1))
        XCTAssertTrue(gpx.error.contains("use FIT or TCX"), gpx.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: home.folder.path("run.gpx")))
        let unknown = try await export(home, home.folder.path("run.txt"))
        XCTAssertEqual(unknown.ending, .exited(64))
        let wrong = try await export(home, home.folder.path("run"), "--format", "fti")
        XCTAssertEqual(wrong.ending, .exited(64))
        XCTAssertTrue(wrong.error.contains("did you mean `fit`"), wrong.error)
    }

    // MARK: Import

    func testImport_twice_isStoredOnce_withoutAGateway() async throws {
        let home = try await homeWithAWorkout(lines: 12)
        for format in ["fit", "tcx"] {
            let path = home.folder.path("run.\(format)")
            let file = try await export(home, path)
            XCTAssertEqual(file.ending, .exited(0), file.error)
            let other = try Home()
            try await assertImportsOnce(path, into: other)
        }
    }

    func testImport_twice_isStoredOnce_besideAGateway() async throws {
        let home = try await homeWithAWorkout(lines: 12)
        let path = home.folder.path("run.fit")
        let file = try await export(home, path)
        XCTAssertEqual(file.ending, .exited(0), file.error)
        let box = try await BluetoothBox()
        try box.configure(#"{ use: "bluetooth", devices: "any" }"#)
        let gateway = try box.home.start("run")
        await box.bluez.waitForCall("StartDiscovery")
        try await assertImportsOnce(path, into: box.home)
        try await gateway.waitForLines(with: #""kind":"workout""#, on: .output)
        try await box.end(gateway)
        let kept = try await box.home.workouts()
        XCTAssertEqual(kept.count, 1)
    }

    private func assertImportsOnce(
        _ path: String, into home: Home, line: UInt = #line
    ) async throws {
        var counts: [Int] = []
        for words in ["imported running", "is already in the store"] {
            let outcome = try await home.run("workout", "import", path)
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error, line: line)
            XCTAssertTrue(outcome.output.contains(words), outcome.output, line: line)
            let list = try await home.run("workout", "list")
            XCTAssertTrue(list.output.contains("1 of 1 workout\n"), list.output, line: line)
            counts.append(try await home.samples(of: .heartRate).count)
        }
        XCTAssertGreaterThan(counts[0], 2, line: line)
        XCTAssertEqual(counts[0], counts[1], line: line)
    }

    /// A TCX file of a run of so many minutes with a steady heart.
    private func steadyRun(from hour: Int, _ minute: Int, minutes: Int, rate: Int) -> String {
        func time(_ minutes: Int) -> String {
            let at = hour * 60 + minute + minutes
            return String(format: "2026-11-20T%02d:%02d:00Z", at / 60, at % 60)
        }
        let points = (0...minutes).map { minute in
            "<Trackpoint><Time>\(time(minute))</Time><HeartRateBpm><Value>\(rate)</Value>"
                + "</HeartRateBpm></Trackpoint>"
        }
        return """
            <?xml version="1.0"?>
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>\(time(0))</Id>
            <Lap StartTime="\(time(0))"><TotalTimeSeconds>\(minutes * 60)</TotalTimeSeconds>
            <Calories>600</Calories><Track>\(points.joined())</Track></Lap>
            </Activity></Activities></TrainingCenterDatabase>
            """
    }

    /// A watch and a bike computer have recorded the same hour.
    func testImport_ofTwoThatOverlap_keepsTheirSamplesApart() async throws {
        let home = try Home()
        for (name, text) in [
            ("a.tcx", steadyRun(from: 8, 0, minutes: 60, rate: 158)),
            ("b.tcx", steadyRun(from: 8, 30, minutes: 60, rate: 116)),
        ] {
            try home.folder.write(Array(text.utf8), to: name)
            let outcome = try await home.run("workout", "import", home.folder.path(name))
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        }
        let workouts = try await home.workouts()
        XCTAssertEqual(workouts.count, 2)
        for workout in workouts {
            let rate = try XCTUnwrap(workout.totals.first { $0.type == .heartRate }?.average)
            let show = try await home.run("workout", "show", workout.id.description)
            let number = Int(rate.value)
            XCTAssertTrue(show.output.contains("\(number) (\(number) to \(number))"), show.output)
            XCTAssertTrue(show.output.contains("600 kcal"), show.output)
        }
        for words in [["show"], ["export", "-", "--format", "json"]] {
            let newest = try await home.run(["workout"] + words)
            let last = try await home.run(["workout"] + words + ["last", "--person", "me"])
            XCTAssertEqual(last.ending, .exited(0), last.error)
            XCTAssertEqual(last.output, newest.output)
        }
    }

    func testImport_ofTimesWithoutATimeZone_takesThoseOfTheSystem_andSaysSo() async throws {
        let home = try Home()
        let text = steadyRun(from: 8, 0, minutes: 60, rate: 158)
        for (name, text, isLocal) in [
            ("zone.tcx", text, false), ("local.tcx", text.replacing(":00Z", with: ":00"), true),
        ] {
            try home.folder.write(Array(text.utf8), to: name)
            let outcome = try await home.run(
                ["workout", "import", home.folder.path(name)], prefix: ["/usr/bin/env", "TZ=UTC-3"])
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertEqual(
                outcome.error.contains("times without a time zone"), isLocal, outcome.error)
        }
        let starts = try await home.workouts().map { "\($0.start)" }
        XCTAssertEqual(starts.sorted(), ["2026-11-20T05:00:00.000Z", "2026-11-20T08:00:00.000Z"])
    }

    func testImport_ofWhatIsNoWorkout_isRejected_andKeepsNothing() async throws {
        let home = try Home()
        try home.folder.write(Array("not a workout".utf8), to: "a.fit")
        try home.folder.write([0x1F, 0x8B, 8, 0], to: "a.fit.gz")
        for (name, problem) in [
            ("a.fit", "is text, such as CSV, which is not imported; export"),
            ("a.fit.gz", "decompress it with `gunzip`"), ("none.fit", "No such file"),
            (".", "not a regular file"),
        ] {
            let outcome = try await home.run("workout", "import", home.folder.path(name))
            XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
            XCTAssertTrue(outcome.error.contains(problem), outcome.error)
        }
        let list = try await home.run("workout", "list")
        XCTAssertFalse(list.output.contains("running"), list.output)
    }
}
