import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import SQLite
import XCTest

/// Journal and store on one small file system that gets full, in every order of who is away, who fills
/// it and who comes back: what was accepted is delivered when there is space, and nothing is lost.
final class SmallDiskTests: XCTestCase {
    private enum Sink { case repository, store }
    private enum Filler { case journal, stranger }

    /// What happens to the disk.
    private struct Story: CustomStringConvertible {
        var kind: String
        var away: [Sink]
        var filler: Filler
        /// Whether the sinks come back before a stranger's file is removed.
        var sinksComeFirst = true

        var description: String {
            "\(kind): \(away) away, filled by the \(filler), "
                + (sinksComeFirst ? "sinks first" : "space first")
        }
    }

    private static func stories(_ kind: String) -> [Story] {
        [[Sink.repository], [.store], [.repository, .store]].flatMap { away in
            [
                Story(kind: kind, away: away, filler: .journal),
                Story(kind: kind, away: away, filler: .stranger),
                Story(kind: kind, away: away, filler: .stranger, sinksComeFirst: false),
            ]
        } + [Story(kind: kind, away: [], filler: .stranger)]
    }

    func testTmpfs_inEveryOrder_whenThereIsSpaceEverythingIsDelivered() async throws {
        for story in Self.stories("tmpfs") { try await run(story) }
    }

    func testExt4_inEveryOrder_whenThereIsSpaceEverythingIsDelivered() async throws {
        for story in Self.stories("ext4") { try await run(story) }
    }

    private func run(_ story: Story) async throws {
        let lane = try DurableLane()
        let disk = try SmallDisk(story.kind, at: lane.home.folder.makeFolder("data/pulsegate"))
        defer { disk.unmount() }
        let gateway = try lane.start()
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        try await lane.devices.send(lines: 5, packets: 5)
        let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isThere, "\(story)")

        let lock = try await leave(story, lane)
        try await fill(story, disk, lane, gateway)
        try await lane.devices.send(lines: 20, packets: 20)
        await gateway.letRun(seconds: DurableLane.commitSeconds)
        if !story.sinksComeFirst { disk.free() }
        lane.repository.set { _ in .keep }
        try lock?.execute("ROLLBACK")
        await gateway.letRun(seconds: DurableLane.commitSeconds)
        if story.sinksComeFirst { disk.free() }
        try await lane.devices.send(lines: 5, packets: 5)

        let isBack = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
        let log = await gateway.text(of: .error)
        XCTAssertTrue(isBack, "\(story): \(log)")
        guard isBack else { return }
        try await lane.stop(gateway, "\(story): \(log)")
        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(findings, [], "\(story): \(log)")
        XCTAssertEqual(kept.lines, lane.linesToKeep, "\(story)")
        XCTAssertEqual(kept.packets, Array(0..<lane.devices.packetCount), "\(story)")
        XCTAssertEqual(try lane.home.ledger().ingest.unaccepted, 0, "\(story)")
    }

    /// Lets sinks go away; the store is locked until the connection says otherwise.
    private func leave(_ story: Story, _ lane: DurableLane) async throws -> SQLiteConnection? {
        if story.away.contains(.repository) {
            lane.repository.set { _ in
                .fail(.answer(ScriptedAnswer(status: 503, headers: [("Retry-After", "1")])))
            }
        }
        guard story.away.contains(.store) else { return nil }
        let connection = try SQLiteConnection(
            path: "\(lane.home.dataDirectory)/health.sqlite", access: .readWrite)
        try connection.execute("BEGIN IMMEDIATE")
        return connection
    }

    /// Fills the disk until the gateway says that it cannot write.
    private func fill(
        _ story: Story, _ disk: SmallDisk, _ lane: DurableLane, _ gateway: RunningCommand
    ) async throws {
        if story.filler == .stranger { try disk.fill() }
        for _ in 0..<500 {
            if await !gateway.lines(of: .error, with: "cannot write").isEmpty { return }
            try await lane.devices.send(lines: 100, packets: 10)
            await gateway.letRun(seconds: DurableLane.commitSeconds)
        }
        XCTFail("\(story): the disk did not get full")
    }
}
