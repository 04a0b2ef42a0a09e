import GatewayTesting
import XCTest

@testable import Backup

/// Tests of reading archives: those that are whole, those that are not, and those of an enemy.
final class BackupContentsTests: XCTestCase {
    private func assertThrows(
        _ bytes: [UInt8], _ isExpected: (BackupError) -> Bool, line: UInt = #line
    ) {
        XCTAssertThrowsError(try ExampleArchive.read(bytes), line: line) { error in
            guard let error = error as? BackupError, isExpected(error) else {
                return XCTFail("\(error)", line: line)
            }
        }
    }

    func testArchive_isReadAsItIsWritten_inPiecesOfEverySize() throws {
        let bytes = try ExampleArchive.bytes()
        for limit in [1, 7, 511, 512, 513, .max] {
            XCTAssertEqual(try ExampleArchive.read(bytes, limit: limit), ExampleArchive.expected)
        }
    }

    func testEveryTruncation_isRefused() throws {
        let bytes = try ExampleArchive.bytes()
        for count in 0..<bytes.count {
            assertThrows(Array(bytes[..<count])) { error in
                error == .truncated || count < TarHeader.blockSize && error == .foreign
            }
        }
    }

    func testEveryFlippedBit_isRefused_orChangesNothing() throws {
        let bytes = try ExampleArchive.bytes()
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << UInt8(index % 8)
            guard let read = try? ExampleArchive.read(damaged) else { continue }
            XCTAssertEqual(read, ExampleArchive.expected, "byte \(index)")
        }
    }

    func testRandomDamage_isRefused_orChangesNothing() throws {
        let bytes = try ExampleArchive.bytes()
        var run = FuzzRun("damaged backups", inputs: 3_000)
        while var random = run.next() {
            var damaged = bytes
            for _ in 0..<random.pick([1, 2, 6]) {
                random.mutate(&damaged, words: [[0], TarHeader.end, Array("SHA256SUMS".utf8)])
            }
            guard let read = try? ExampleArchive.read(damaged) else { continue }
            run.expect(read == ExampleArchive.expected, "something else is read")
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testRandomBytes_areNoBackup() throws {
        var run = FuzzRun("foreign backups", inputs: 500)
        while var random = run.next() {
            let bytes = random.bytes(upTo: 2_000)
            run.expect((try? ExampleArchive.read(bytes)) == nil, "is read")
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testAnotherArchive_isForeign() throws {
        let archive = TarHeader(name: "readme", size: 0, time: 0).bytes + TarHeader.end
        assertThrows(archive) { $0 == .foreign }
        assertThrows(Array("SQLite format 3\u{0}".utf8)) { $0 == .foreign }
        assertThrows([]) { $0 == .foreign }
    }

    func testPathsThatLeadOut_areRefused() throws {
        let manifest = ExampleArchive.members[0]
        for name in [
            "../devices.json", "/etc/passwd", "imports/../../x.import", "imports/x.import",
            "secrets/token", "lock", "journal/1", "imports/", "health.sqlite-wal", "moves.json",
            "imports/0198f3c2-0000-8000-8000-00000000000/.import",
        ] {
            let bytes = try ExampleArchive.bytes([manifest, (name, [1])])
            assertThrows(bytes) { $0 == .unknownMember(name) }
        }
    }

    func testAFileThatIsNotInTheList_orMissing_orTwice_isDamage() throws {
        let members = ExampleArchive.members
        let manifest = members[0]
        func list(_ members: [(name: String, bytes: [UInt8])]) -> String {
            members.map { "\(SHA256.hex(of: $0.bytes))  \($0.name)\n" }.joined()
        }
        for (files, list) in [
            ([manifest, members[1]], list([manifest])),
            ([manifest], list([manifest, members[1]])),
            ([manifest, members[2], members[1]], list([manifest, members[1], members[2]])),
            ([manifest, members[1], members[1]], list([manifest, members[1], members[1]])),
            ([members[1]], list([members[1]])), ([manifest], ""), ([manifest], "x\n"),
        ] {
            assertThrows(try ExampleArchive.bytes(files, checksums: list)) {
                if case .damaged = $0 { true } else { false }
            }
        }
    }

    func testALaterFormat_isReportedWithItsVersion_alsoWithOtherFiles() throws {
        var manifest = BackupManifest()
        (manifest.format, manifest.version) = (2, "9.1")
        let bytes = try ExampleArchive.bytes(
            [("manifest.json", manifest.bytes), ("something.new", [])])
        assertThrows(bytes) { $0 == .newer(format: 2, version: "9.1") }
    }

    func testASmallFileThatIsTooLarge_isRefused() throws {
        let large = [UInt8](repeating: 32, count: Int(BackupMember.smallLimit) + 1)
        let bytes = try ExampleArchive.bytes([ExampleArchive.members[0], ("people.json", large)])
        assertThrows(bytes) { if case .damaged = $0 { true } else { false } }
    }

    func testManifest_isReadAsItIsWritten_andUnknownKeysAreSkipped() throws {
        var manifest = BackupManifest()
        (manifest.version, manifest.schema, manifest.devices, manifest.people) = ("1.2", 10, 3, 2)
        manifest.records = ["samples": 12, "events": 1]
        manifest.secrets = ["secret: repo-token"]
        (manifest.waiting, manifest.incompleteStore) = (["store": 7], "store")
        XCTAssertEqual(try BackupManifest(manifest.bytes), manifest)
        let text = String(decoding: manifest.bytes, as: UTF8.self)
        let extended = text.replacing("{\"format\"", with: "{\"later\":[1],\"format\"")
        XCTAssertEqual(try BackupManifest(Array(extended.utf8)), manifest)
        XCTAssertEqual(
            manifest.summary, "12 samples, 1 event, 3 adopted devices, 2 people")
        XCTAssertEqual(
            manifest.incompleteness?.hasPrefix("not in the backup: 7 records, accepted before"),
            true)
    }
}
