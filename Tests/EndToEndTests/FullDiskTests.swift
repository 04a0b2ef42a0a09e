import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import XCTest

/// The disk of a running gateway is full or broken for a while: it says so, waits, and goes on by itself.
final class FullDiskTests: XCTestCase {
    /// Lets the disk of a running gateway fail, and come back.
    private struct Trouble {
        let begin: (RunningCommand) async throws -> Void
        let end: (RunningCommand) async throws -> Void
    }

    /// Everything that is sent while nothing can be written is accepted when it can.
    private func assertGoesOn(
        _ lane: DurableLane, _ gateway: RunningCommand, _ trouble: Trouble, says: String
    ) async throws {
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        try await lane.devices.send(lines: 5, packets: 5)
        let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isThere)
        try await trouble.begin(gateway)
        // A file that was written before may have room for some of it, and one of two files fails first.
        var shown = ""
        for _ in 0..<50 where !shown.contains(says) {
            try await lane.devices.send(lines: 10, packets: 10)
            await gateway.letRun(seconds: DurableLane.commitSeconds)
            shown = try await lane.home.run("status").output
        }
        XCTAssertTrue(shown.contains(says), shown)
        try await gateway.waitForLines(with: "cannot write", on: .error)
        try await lane.devices.send(lines: 10, packets: 10)
        try await trouble.end(gateway)
        let isBack = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        let log = await gateway.text(of: .error)
        XCTAssertTrue(isBack, log)
        try await gateway.waitForLines(with: "recovered", on: .error)
        try await lane.stop(gateway, log)

        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(findings, [], log)
        XCTAssertEqual(kept.packets, Array(0..<lane.devices.packetCount), log)
        XCTAssertEqual(kept.lines, lane.linesToKeep, log)
        XCTAssertEqual(try lane.home.ledger().ingest.unaccepted, 0)
    }

    private func assertGoesOn(
        _ call: Faults.Call, _ code: Int32, file: String = "", durability: String = "crash",
        says: String
    ) async throws {
        let lane = try DurableLane(settings: "journal: { durability: \"\(durability)\" }")
        let path = lane.home.folder.path("trouble")
        var faults = Faults(call: call, failure: .error(code))
        faults.times = nil
        faults.path = "\(lane.home.dataDirectory)/\(file)"
        faults.meanwhile = path
        let trouble = Trouble { _ in
            try lane.home.folder.write([], to: "trouble")
        } end: { _ in
            try lane.home.folder.remove("trouble")
        }
        try await assertGoesOn(lane, lane.start(faults), trouble, says: says)
    }

    func testWrites_findADiskThatIsFull() async throws {
        try await assertGoesOn(.write, ENOSPC, says: "free space on the file system")
    }

    func testWrites_findADiskThatIsBroken() async throws {
        try await assertGoesOn(.write, EIO, says: "Input/output error")
    }

    func testSyncs_findADiskThatIsBroken() async throws {
        try await assertGoesOn(.sync, EIO, durability: "powerLoss", says: "Input/output error")
    }

    func testWrites_toTheJournalAlone() async throws {
        try await assertGoesOn(
            .write, ENOSPC, file: "journal/", says: "free space on the file system")
    }

    func testWrites_toTheStoreAlone() async throws {
        try await assertGoesOn(
            .write, ENOSPC, file: "health.sqlite", says: "free space on the file system")
    }

    /// What could never be committed was not accepted: that is said, and it is nowhere afterwards.
    func testStoppedWhileTheDiskIsFull_reportsHowMuchIsNotAccepted() async throws {
        let lane = try DurableLane()
        var faults = Faults(call: .write, failure: .error(ENOSPC))
        faults.times = nil
        faults.path = lane.home.dataDirectory
        faults.meanwhile = lane.home.folder.path("trouble")
        let gateway = try lane.start(faults)
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        try await lane.devices.send(lines: 5, packets: 5)
        let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isThere)
        try lane.home.folder.write([], to: "trouble")
        try await lane.devices.send(lines: 10, packets: 10)
        try await gateway.waitForLines(with: "journal: cannot write", on: .error)
        try await lane.stop(gateway, "stopped while the disk is full")
        let said = await gateway.lines(of: .error, with: "records discarded").joined()
        // Twenty samples of packets, twenty of lines, and what the devices' ends make.
        XCTAssertTrue(said.contains(/records=4[0-9]/), said)

        try await lane.finish("the next start")
        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(findings, [])
        XCTAssertEqual(kept.packets, Array(0..<5) + Array(15..<18))
    }

    /// A file that reaches the limit of its process raises SIGXFSZ, which ends programs that do not know it.
    func testFiles_thatMayNotGrow() async throws {
        let lane = try DurableLane()
        let trouble = Trouble { gateway in
            let isStored = try await lane.waitForStore(gateway)
            XCTAssertTrue(isStored)
            let size = try Self.size(of: "\(lane.home.dataDirectory)/health.sqlite-wal")
            try await Self.limitFiles(of: gateway, to: "\(size)")
        } end: { gateway in
            try await Self.limitFiles(of: gateway, to: "unlimited")
        }
        try await assertGoesOn(lane, lane.start(), trouble, says: "`ulimit -f`")
    }

    private static func limitFiles(of gateway: RunningCommand, to bytes: String) async throws {
        let program = "/usr/bin/prlimit"
        guard access(program, X_OK) == 0 else {
            throw XCTSkip("needs prlimit: apt-get install util-linux")
        }
        let words = [program, "--pid", "\(gateway.processID)", "--fsize=\(bytes):"]
        let said = try await InteractiveProgram(words, environment: [:]).waitForEnd()
        XCTAssertEqual(said, "")
    }

    private static func size(of path: String) throws -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemFailure("stat \(path)") }
        return Int64(status.st_size)
    }

    func testFileSystem_thatIsFull() async throws {
        let lane = try DurableLane()
        let folder = try lane.home.folder.makeFolder("data/pulsegate")
        guard mount("tmpfs", folder, "tmpfs", 0, "size=8m,mode=0700") == 0 else {
            throw XCTSkip("needs the right to mount a tmpfs; run the tests as root")
        }
        defer { umount2(folder, Int32(MNT_DETACH)) }
        let trouble = Trouble { _ in
            try Self.fill("\(folder)/stuffing")
        } end: { _ in
            try FileManager.default.removeItem(atPath: "\(folder)/stuffing")
        }
        try await assertGoesOn(lane, lane.start(), trouble, says: "free space on the file system")
    }

    /// Writes a file until there is no room for one byte more.
    private static func fill(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("open \(path)") }
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: 1, count: 1 << 16)
        while write(descriptor, bytes, bytes.count) > 0 {}
        guard errno == ENOSPC else { throw SystemFailure("write \(path)") }
    }
}
