import GatewayCore
import GatewayTesting
import Glibc
import Platform
import XCTest

@testable import Bluetooth

/// The record of own links on disk.
final class OwnLinkFilesTests: XCTestCase {
    private func files(
        in folder: TemporaryFolder, of source: String = "straps",
        log: @escaping @Sendable (Logger.Record) -> Void = { _ in }
    ) -> OwnLinkFiles {
        OwnLinkFiles(
            ComponentContext(
                name: source, clock: ManualClock(), log: Logger(component: "test", output: log),
                dataDirectory: folder.path))
    }

    func testRecord_isReadByTheNextRunOfTheSource() async throws {
        let folder = try TemporaryFolder()
        let first = files(in: folder)
        await first.record(.ending(1), daemon: "bus :1.5")
        await first.record(.ending(2), daemon: "bus :1.5")
        await first.record(.ending(2), daemon: nil)

        let next = await files(in: folder).read()
        let other = await files(in: folder, of: "others").read()

        XCTAssertEqual(next, [.ending(1): "bus :1.5"])
        XCTAssertEqual(other, [:])
    }

    func testRecord_replacesALongerOne() async throws {
        let folder = try TemporaryFolder()
        let files = files(in: folder)
        await files.record(.ending(1), daemon: "a bus :1.12345")
        await files.record(.ending(1), daemon: "bus :1.5")
        let links = await files.read()
        XCTAssertEqual(links, [.ending(1): "bus :1.5"])
    }

    func testRead_ignoresWhatIsNoRecord() async throws {
        let folder = try TemporaryFolder()
        let files = files(in: folder)
        await files.record(.ending(1), daemon: "bus :1.5")
        let links = folder.path("links/straps")
        mkdir("\(links)/D0:11:22:33:44:07", 0o700)
        mkfifo("\(links)/D0:11:22:33:44:08", 0o600)
        symlink("/etc/passwd", "\(links)/D0:11:22:33:44:09")
        mkdir("\(links)/notes", 0o700)

        let read = await files.read()

        XCTAssertEqual(read[.ending(1)], "bus :1.5")
        XCTAssertNil(read[.ending(9)])
        XCTAssertFalse(read.values.contains { $0.contains("root") })
    }

    func testRecord_thatFails_isLoggedOnce() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "links")
        let (records, signal) = AsyncStream.makeStream(of: Logger.Record.self)
        let files = files(in: folder) { signal.yield($0) }

        await files.record(.ending(1), daemon: "bus :1.5")
        await files.record(.ending(2), daemon: "bus :1.5")

        signal.finish()
        var reasons: [String] = []
        for await record in records { reasons += record.fields.map(\.value) }
        XCTAssertEqual(reasons.count, 1)
        XCTAssertTrue(reasons.first?.contains(path) == true, "\(reasons)")
    }
}
