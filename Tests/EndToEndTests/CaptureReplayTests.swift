import BluetoothTesting
import Foundation
import GatewayTesting
import Glibc
import HealthModel
import Serial
import XCTest

/// `capture` and `replay`.
final class CaptureReplayTests: XCTestCase {
    private func sortedLines(_ text: String) -> [Substring] {
        text.split(separator: "\n").sorted()
    }

    func testReplay_makesTheRecordsOfTheRunThatWasCaptured() async throws {
        let home = try Home()
        let path = home.folder.path("walk.capture")
        let run = try await home.run(
            "capture", path, "--simulate", until: #""type":"heartRate""#, count: 3)
        XCTAssertEqual(run.ending, .exited(0), run.error)
        let replay = try await home.run("replay", path, "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        XCTAssertGreaterThan(sortedLines(run.output).count, 5)
        XCTAssertEqual(sortedLines(replay.output), sortedLines(run.output))
        let slower = try await home.run("replay", path, "--speed", "50")
        XCTAssertEqual(slower.output, replay.output)
    }

    func testReplay_ofRealTransports_makesTheSameRecords() async throws {
        let box = try await BluetoothBox()
        let port = try PseudoTerminal()
        try box.home.configure(
            """
            { sources: {
                straps: { use: "bluetooth", devices: "any", profiles: ["heartRate"] },
                foot: { use: "serial", port: { path: "\(port.slavePath)" }, protocol: "hxm" },
              },
              sinks: { lines: "stdout" } }
            """)
        let path = box.home.folder.path("a")
        await box.wear(BluetoothBox.ada)
        let gateway = try box.home.start("capture", path)
        await box.waitUntilHeard(BluetoothBox.ada)
        for _ in 0..<3 { await box.bluez.notify(BluetoothBox.ada, SteadyHeart.beat) }
        try await gateway.waitForLines(2, with: "connected", on: .error)
        try port.write(Array(SerialTests.recordedHxM().prefix(600)))
        // One of the strap, whose equal values are copies, and ten of the other one.
        try await gateway.waitForLines(11, with: #""type":"heartRate""#, on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let live = await gateway.text(of: .output)
        let replay = try await box.home.run("replay", path, "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        XCTAssertTrue(live.contains("Pulse Works"), live)
        XCTAssertEqual(sortedLines(replay.output), sortedLines(live))
    }

    func testCapture_isPrivate_andReplacesAFileOnlyWithForce() async throws {
        let home = try Home()
        try home.folder.write(Array("precious".utf8), to: "a")
        chmod(home.folder.path("a"), 0o644)
        let words = ["capture", home.folder.path("a"), "--simulate", "--for", "0.1"]
        let refused = try await home.run(words)
        XCTAssertEqual(refused.ending, .exited(1))
        XCTAssertTrue(refused.error.contains("exists already"), refused.error)
        XCTAssertEqual(
            try String(contentsOfFile: home.folder.path("a"), encoding: .utf8), "precious")
        let forced = try await home.run(words + ["--force"])
        XCTAssertEqual(forced.ending, .exited(0), forced.error)
        XCTAssertEqual(try home.folder.permissions()["a"], 0o600)
        let replay = try await home.run("replay", home.folder.path("a"), "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
    }

    func testCapture_whenAnonymous_namesNoDevice() async throws {
        let home = try Home()
        let path = home.folder.path("a")
        let run = try await home.run(
            "capture", path, "--simulate", "--anonymize", until: #""type":"heartRate""#)
        XCTAssertEqual(run.ending, .exited(0), run.error)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssertTrue(text.contains("device-1"), text)
        XCTAssertFalse(text.lowercased().contains("simulated"), text)
        let replay = try await home.run("replay", path, "--speed", "max")
        XCTAssertTrue(replay.output.contains("heartRate"), replay.error)
    }

    func testCapture_whenKilled_isReplayedUpToItsLastLine() async throws {
        let home = try Home()
        let path = home.folder.path("a")
        let gateway = try home.start("capture", path, "--simulate")
        try await gateway.waitForLines(2, with: "heartRate", on: .output)
        await gateway.send(SIGKILL)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .killed(bySignal: SIGKILL))
        let file = try XCTUnwrap(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(#"{"received":1,"at":99,"chan"#.utf8))
        try file.close()
        let replay = try await home.run("replay", path, "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        XCTAssertTrue(replay.error.contains("the last line of the capture is incomplete"))
        XCTAssertGreaterThanOrEqual(
            replay.output.components(separatedBy: "\"heartRate\"").count, 3, replay.output)
    }

    func testCapture_whenTheDiskIsFull_fails() async throws {
        let home = try Home()
        let run = try await home.run(
            "capture", "/dev/full", "--force", "--simulate", "--for", "1")
        XCTAssertEqual(run.ending, .exited(1))
        XCTAssertTrue(run.error.contains("cannot write /dev/full"), run.error)
    }

    func testReplay_intoADirectory_fillsANewStore() async throws {
        let home = try Home()
        let path = home.folder.path("a")
        _ = try await home.run("capture", path, "--simulate", until: #""type":"heartRate""#)
        let folder = home.folder.path("replayed")
        let replay = try await home.run("replay", path, "--speed", "max", "--into", folder)
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        XCTAssertEqual(replay.output, "")
        let samples = try await Home.samples(
            of: .heartRate, inStoreAt: "\(folder)/health.sqlite")
        XCTAssertGreaterThanOrEqual(samples.count, 1)
        let again = try await home.run("replay", path, "--speed", "max", "--into", folder)
        XCTAssertEqual(again.ending, .exited(1))
        XCTAssertTrue(again.error.contains("is not empty"), again.error)
    }

    func testReplay_whenStopped_ends() async throws {
        let home = try Home()
        let path = home.folder.path("a")
        _ = try await home.run("capture", path, "--simulate", until: #""type":"heartRate""#)
        let replay = try home.start("replay", path, "--speed", "0.001")
        try await replay.waitForLines(with: "connected", on: .error)
        await replay.send(SIGTERM)
        let ending = try await replay.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testReplay_ofAHugeLine_isRefusedWithLittleMemory() async throws {
        let home = try Home()
        let path = home.folder.path("huge")
        let header = #"{"capture":1,"at":1,"clock":"0","version":"1","earliest":"1970-01-01","#
        try home.folder.write(Array("\(header)\"utcOffset\":0}\n".utf8), to: "huge")
        XCTAssertEqual(truncate(path, 2 << 30), 0)
        let replay = try await home.run(
            "replay", path, "--speed", "max",
            prefix: ["/usr/bin/prlimit", "--data=200000000", "--"])
        XCTAssertEqual(replay.ending, .exited(1))
        XCTAssertTrue(replay.error.contains("line 2: longer than 64 KiB"), replay.error)
    }

    func testReplay_ofOtherFiles_isRefused() async throws {
        let home = try Home()
        let header =
            #"{"capture":1,"at":1,"clock":"0","version":"1","earliest":"1970-01-01","#
            + "\"utcOffset\":0}\n"
        let device = #"{"device":1,"source":"a","localIdentifier":"b"}"# + "\n"
        let opened = header + device + #"{"opened":1,"at":2,"adapter":"#
        let files = [
            ("", "the file is empty"),
            ("{}\n", "cannot replay"),
            (
                header.replacing("\"capture\":1", with: "\"capture\":2"),
                "format 2 is not supported"
            ),
            (
                header + #"{"received":1,"at":2,"channel":"stream","bytes":"00"}"#,
                "line 2: device 1 is not open"
            ),
            (opened + #"{"protocol":"hxn"}}"#, "line 3: adapter.protocol: unknown protocol `hxn`"),
            (opened + #"{"profiles":["heartRat"]}}"#, "heartRate"),
        ]
        for (text, message) in files {
            try home.folder.write(Array(text.utf8), to: "a")
            let replay = try await home.run("replay", home.folder.path("a"), "--speed", "max")
            XCTAssertEqual(replay.ending, .exited(1), text)
            XCTAssertTrue(replay.error.contains(message), "\(message): \(replay.error)")
        }
        let trace = home.folder.path("trace")
        let program = #"{"protocol":{"use":"exec","command":["touch","\#(trace)"]}}}"# + "\n"
        try home.folder.write(Array((opened + program).utf8), to: "a")
        let replay = try await home.run("replay", home.folder.path("a"), "--speed", "max")
        XCTAssertEqual(replay.ending, .exited(0), replay.error)
        XCTAssertNotEqual(access(trace, F_OK), 0, "a replay starts no program")
    }
}
