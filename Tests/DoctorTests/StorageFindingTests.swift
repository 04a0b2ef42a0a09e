import Foundation
import GatewayCore
import GatewayTesting
import JournalLog
import XCTest

@testable import Doctor

/// Findings about the data directory, the journal, the store and the disk.
final class StorageFindingTests: XCTestCase {
    func testDamagedStore_isFound_andItsFixWorks() async throws {
        let patient = try Patient()
        let path = try patient.store(
            String(repeating: "this is no database. ", count: 500), as: "health.sqlite")
        try patient.store("", as: "health.sqlite-wal")
        let found = try await patient.finding(.storeDamaged)
        let finding = try XCTUnwrap(found)
        XCTAssertEqual(finding.subject, "store")
        XCTAssertEqual(finding.severity, .problem)
        XCTAssertTrue(finding.text.contains("not a database"), finding.text)

        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", try XCTUnwrap(finding.fix.command)]
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        let report = try await patient.report()
        XCTAssertFalse(report.findings.contains { $0.kind == .storeDamaged })
    }

    func testStoreThatIsNoRegularFile_isFound_untilItIsGone() async throws {
        let patient = try Patient()
        try patient.makeDataDirectory()
        let path = "\(patient.dataDirectory)/health.sqlite"
        XCTAssertEqual(mkfifo(path, 0o600), 0)
        let report = try await patient.report()
        let finding = report.findings.first { $0.kind == .sinkUnusable }
        XCTAssertEqual(finding?.text, "the store \(path) is not a regular file")
        XCTAssertEqual(finding?.severity, .problem)
        XCTAssertFalse(report.well.contains { $0.hasPrefix("store: ") }, "\(report.well)")
        unlink(path)
        let after = try await patient.report()
        XCTAssertFalse(after.findings.contains { $0.kind == .sinkUnusable })
        XCTAssertTrue(after.well.contains { $0.hasPrefix("store: ") })
    }

    private func makeJournal(_ patient: Patient) throws -> String {
        try patient.makeDataDirectory()
        let path = "\(patient.dataDirectory)/journal"
        let file = try LogJournalFile(path: path, durability: .crash, clock: SystemClock())
        _ = try file.ledger()
        file.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return "\(path)/" + (try XCTUnwrap(names.filter { $0.hasSuffix(".segment") }.min()))
    }

    func testDamagedJournal_isFound_andNoMoreWhenItIsGone() async throws {
        let patient = try Patient()
        let segment = try makeJournal(patient)
        let before = try await patient.report()
        XCTAssertTrue(before.well.contains("journal: no damage found"))

        let whole = try Data(contentsOf: URL(fileURLWithPath: segment))
        var damaged = whole
        for index in 8..<64 { damaged[index] ^= 0x55 }
        try damaged.write(to: URL(fileURLWithPath: segment))
        let finding = try await patient.finding(.journalDamaged)
        XCTAssertEqual(finding?.severity, .advice)
        XCTAssertEqual(finding?.fix.command, "pulsegate run")

        try whole.write(to: URL(fileURLWithPath: segment))
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.journalDamaged))
    }

    func testJournalThatIsNoFolder_isFound() async throws {
        let patient = try Patient()
        try patient.store("x", as: "journal")
        let finding = try await patient.finding(.journalFailing)
        XCTAssertEqual(finding?.severity, .problem)
        try patient.folder.remove("home/.local/share/pulsegate/journal")
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.journalFailing))
    }

    func testDataDirectoryThatIsAFile_isFound() async throws {
        let patient = try Patient()
        let path = try patient.folder.write([], to: "file")
        try patient.configure(#"{ dataDirectory: "\#(path)" }"#)
        let finding = try await patient.finding(.dataDirectoryUnusable)
        XCTAssertEqual(finding?.subject, path)
        try patient.configure(#"{ dataDirectory: "\#(path).d" }"#)
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.dataDirectoryUnusable))
    }

    func testLockFileOfSomethingElse_isFound() async throws {
        let patient = try Patient()
        try patient.makeDataDirectory()
        XCTAssertEqual(symlink("/etc/passwd", "\(patient.dataDirectory)/lock"), 0)
        let finding = try await patient.finding(.otherGateway)
        XCTAssertTrue(finding?.text.hasSuffix("/lock is a symbolic link") == true)
        try patient.folder.remove("home/.local/share/pulsegate/lock")
        let kinds = try await patient.kinds()
        XCTAssertFalse(kinds.contains(.otherGateway))
    }

    func testAnExamination_leavesNoFile() async throws {
        let patient = try Patient()
        try patient.makeDataDirectory()
        let report = try await patient.report()
        XCTAssertTrue(report.well.contains { $0.hasPrefix("disk: a small write takes ") })
        let names = try FileManager.default.contentsOfDirectory(atPath: patient.dataDirectory)
        XCTAssertEqual(names, [])
        try patient.folder.remove("home/.local/share/pulsegate")
        _ = try await patient.report()
        XCTAssertFalse(FileManager.default.fileExists(atPath: patient.dataDirectory))
    }

    private func kinds(_ change: (inout StorageFacts) -> Void) -> [Finding.Kind] {
        var facts = StorageFacts()
        facts.path = "/data"
        facts.freeBytes = 1 << 30
        facts.writeTime = .seconds(0.01)
        change(&facts)
        return facts.findings.map(\.kind)
    }

    func testDisk_isFoundWhenItIsFull_orLow_orSlow() {
        XCTAssertEqual(kinds { _ in }, [])
        XCTAssertEqual(kinds { $0.freeBytes = StorageFacts.fullBytes - 1 }, [.diskFull])
        XCTAssertEqual(kinds { $0.freeBytes = StorageFacts.lowBytes - 1 }, [.diskLow])
        XCTAssertEqual(kinds { $0.writeTime = .seconds(StorageFacts.slowSeconds) }, [.diskSlow])
        XCTAssertEqual(kinds { $0.writeTime = .longer(than: 5) }, [.diskSlow])
    }

    func testDataOfAnotherUser_isNamedWithTheCommandForIt() {
        var facts = StorageFacts()
        facts.path = "/var/lib/pulsegate"
        facts.isOfAnotherUser = true
        facts.owner = "pulsegate"
        XCTAssertEqual(facts.findings.map(\.kind), [.dataOfAnotherUser])
        XCTAssertEqual(
            facts.findings.first?.fix.command,
            "sudo -u pulsegate env STATE_DIRECTORY=/var/lib/pulsegate pulsegate doctor")
    }
}
