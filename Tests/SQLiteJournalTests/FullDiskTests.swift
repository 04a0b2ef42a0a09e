import GatewayTesting
import Glibc
import SQLite
import XCTest

@testable import GatewayCore
@testable import Platform
@testable import SQLiteJournal

/// The journal on a file system that is full, which is a real one where that can be had.
final class FullDiskTests: XCTestCase {
    private let clock = ManualClock()

    /// A file system of 8 MiB in memory, as long as this lives.
    private final class SmallDisk {
        let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=8m") == 0 else {
                throw XCTSkip("needs the right to mount a tmpfs; run the tests as root")
            }
        }

        deinit { umount2(folder.path, Int32(MNT_DETACH)) }
    }

    private func publish(_ count: Int, to journal: Journal) async {
        let text = String(repeating: String(repeating: "x", count: 999) + "\n", count: count)
        var addition = Ledger.Ingest()
        (addition.converted, addition.published) = (Int64(count), Int64(count))
        await journal.append(RecordLines(Array(text.utf8)), addition: addition)
        await journal.commit()
    }

    func testJournal_onAFullDisk_goesOnByItselfWhenThereIsRoom() async throws {
        let disk = try SmallDisk()
        let stuffing = try disk.folder.write(
            [UInt8](repeating: 1, count: 6_500_000), to: "stuffing")
        let journal = try Journal(
            file: SQLiteJournalFile(
                path: disk.folder.path("journal.sqlite"), durability: .crash, clock: clock),
            sinks: ["store"], clock: clock, log: Logger(component: "test") { _ in })
        for _ in 0..<3 { await publish(1_000, to: journal) }
        var status = await journal.status
        XCTAssertTrue(status.isFull, "\(status)")
        XCTAssertGreaterThan(status.waiting, 0)
        XCTAssertEqual(status.ledger.imbalances, [])
        XCTAssertEqual(unlink(stuffing), 0)
        await journal.close()
        status = await journal.status
        XCTAssertFalse(status.isFull)
        XCTAssertEqual(status.ledger.ingest.published, 3_000)
        XCTAssertEqual(status.ledger.ingest.unaccepted, 0)
        XCTAssertEqual(status.ledger.imbalances, [])
        var (cursor, lines): (Int64, Int) = (0, 0)
        while let slice = try await journal.read(
            for: "store", after: cursor, limit: JournalReadLimit(count: 1_000))
        {
            cursor = slice.end
            lines += slice.lines.count
        }
        XCTAssertEqual(lines, 3_000)
    }

    /// Nobody else makes room: what is delivered does.
    func testJournal_thatHasFilledTheDisk_goesOnWhenItsRecordsAreDelivered() async throws {
        let disk = try SmallDisk()
        let journal = try Journal(
            file: SQLiteJournalFile(
                path: disk.folder.path("journal.sqlite"), durability: .crash, clock: clock),
            sinks: ["store"], clock: clock, log: Logger(component: "test") { _ in })
        for _ in 0..<10 where await !journal.status.isFull { await publish(1_000, to: journal) }
        var status = await journal.status
        XCTAssertTrue(status.isFull, "\(status)")
        let published = status.ledger.ingest.published
        let waiting = status.waiting
        XCTAssertGreaterThan(published, 3_000)

        var outcome = Ledger.Outcome()
        outcome.delivered = published
        await journal.advance("store", from: 0, to: published, adding: outcome)
        // The first try saves the cursor and makes room, the second one has it.
        for _ in 0..<2 { await journal.commit(savingSinks: true) }
        status = await journal.status
        XCTAssertNil(status.failure)
        XCTAssertEqual(status.waiting, 0)
        XCTAssertEqual(status.ledger.ingest.published, published + waiting)
        XCTAssertEqual(status.ledger.imbalances, [])
        XCTAssertLessThan(status.bytes, 4_000_000)
    }

    /// A salvage that finds no room changes nothing; it works when there is some.
    func testSalvage_onAFullDisk_leavesTheDamagedFileWhereItIs() throws {
        let disk = try SmallDisk()
        let path = disk.folder.path("journal.sqlite")
        do {
            let file = try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
            try file.register([JournalSink("store")])
            var addition = Ledger.Ingest()
            (addition.converted, addition.published) = (1_000, 1_000)
            let text = String(repeating: String(repeating: "x", count: 999) + "\n", count: 1_000)
            for _ in 0..<3 {
                try file.append(
                    RecordLines(Array(text.utf8)), addition: addition, at: file.end())
            }
        }
        do {
            let connection = try SQLiteConnection(path: path, access: .readWrite)
            try connection.execute("UPDATE sink SET delivered = 5")
        }
        let stuffing = try disk.folder.write(
            [UInt8](repeating: 1, count: 4_000_000), to: "stuffing")
        XCTAssertThrowsError(
            try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
        ) { error in
            XCTAssertEqual((error as? SQLiteError)?.reason, .full, "\(error)")
        }
        // Whoever moves the journal aside must not get half of one in its place.
        XCTAssertNotEqual(access("\(path).mending", F_OK), 0)
        XCTAssertEqual(unlink(stuffing), 0)
        let file = try SQLiteJournalFile(path: path, durability: .crash, clock: clock)
        XCTAssertEqual(file.damageAtOpening?.kept, 3_000)
        XCTAssertEqual(try file.ledger().imbalances, [])
    }
}
