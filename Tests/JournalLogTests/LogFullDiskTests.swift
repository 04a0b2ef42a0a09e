import GatewayTesting
import Glibc
import XCTest

@testable import GatewayCore
@testable import GatewayJournal
@testable import JournalLog
@testable import Platform

/// The journal on a full file system, a small tmpfs.
final class LogFullDiskTests: XCTestCase {
    private let clock = ManualClock()

    /// A tmpfs of 8 MiB, unmounted in `deinit`.
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

    func testJournal_onAFullDisk_continuesWhenSpaceIsAvailableAgain() async throws {
        let disk = try SmallDisk()
        let stuffing = try disk.folder.write(
            [UInt8](repeating: 1, count: 6_500_000), to: "stuffing")
        let journal = try Journal(
            file: LogJournalFile(
                path: disk.folder.path("journal"), durability: .crash, clock: clock),
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

    /// A store on the same file system gets the reserve when the log has filled the rest.
    func testJournal_thatHasFilledTheDisk_leavesTheReserveToTheSinks() async throws {
        let disk = try SmallDisk()
        let journal = try Journal(
            file: LogJournalFile(
                path: disk.folder.path("journal"), durability: .crash, clock: clock),
            sinks: ["store"], clock: clock, log: Logger(component: "test") { _ in })
        for _ in 0..<10 where await !journal.status.isFull { await publish(1_000, to: journal) }
        let isFull = await journal.status.isFull
        XCTAssertTrue(isFull)
        var status = statvfs()
        XCTAssertEqual(statvfs(disk.folder.path, &status), 0)
        let free = Int(status.f_bavail) * Int(status.f_frsize)
        XCTAssertGreaterThanOrEqual(free, LogSizes(fileSystem: 8 << 20).reserve)
    }

    /// What is kept until it is verified takes no space from new records, nor from the sinks.
    func testJournal_onAFullDisk_releasesWhatIsNotVerified() async throws {
        let disk = try SmallDisk()
        let sizes = LogSizes(segment: 512 << 10, reserve: 512 << 10, unverified: 100 << 20)
        let journal = try Journal(
            file: LogJournalFile(
                path: disk.folder.path("journal"), durability: .crash, clock: clock,
                sizes: sizes),
            sinks: ["store"], clock: clock, log: Logger(component: "test") { _ in })
        for start in stride(from: Int64(0), to: 20_000, by: 1_000) {
            await publish(1_000, to: journal)
            var outcome = Ledger.Outcome()
            outcome.delivered = 1_000
            await journal.advance(
                "store", from: start, to: start + 1_000, adding: outcome, isVerifying: true)
            let status = await journal.status
            XCTAssertNil(status.failure)
            XCTAssertEqual(status.ledger.ingest.published, start + 1_000)
            XCTAssertEqual(status.ledger.imbalances, [])
        }
        let entry = await journal.ledger.sinks["store"]
        XCTAssertGreaterThan(entry?.unverified?.released ?? 0, 10_000)
    }

    /// Only the delivery of records frees space.
    func testJournal_thatHasFilledTheDisk_continuesWhenItsRecordsAreDelivered() async throws {
        let disk = try SmallDisk()
        let journal = try Journal(
            file: LogJournalFile(
                path: disk.folder.path("journal"), durability: .crash, clock: clock),
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
        // The first attempt saves the cursor and frees space, which the second one uses.
        for _ in 0..<2 { await journal.commit(savingSinks: true) }
        status = await journal.status
        XCTAssertNil(status.failure)
        XCTAssertEqual(status.waiting, 0)
        XCTAssertEqual(status.ledger.ingest.published, published + waiting)
        XCTAssertEqual(status.ledger.imbalances, [])
        XCTAssertLessThan(status.bytes, 4_000_000)
    }
}
