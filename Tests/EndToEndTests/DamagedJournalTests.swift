import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import Platform
import XCTest

/// The journal of a gateway that was killed is cut off or has bits flipped before the next start.
///
/// That start works and says what it did where it found the damage. What can be read is delivered, what
/// was delivered before stays, what comes anew is accepted, and the ledger closes.
final class DamagedJournalTests: XCTestCase {
    private static let runs = 12 * FuzzFactor.current
    private static let sideBySide = 6

    func testDamagedAtRandom_theNextStartContinues() async throws {
        let first = UInt64.random(in: 0...UInt64.max)
        print("\(Self.runs) damaged journals, from seed \(first)")
        var seeds = (0..<UInt64(Self.runs)).map { first &+ $0 }.makeIterator()
        var salvaged = 0
        try await withThrowingTaskGroup(of: Bool.self) { group in
            func add() {
                guard let seed = seeds.next() else { return }
                let isFirst = seed == first
                group.addTask { try await Self.survives(seed, withoutStart: isFirst) }
            }
            for _ in 0..<Self.sideBySide { add() }
            for try await wasSalvaged in group {
                salvaged += wasSalvaged ? 1 : 0
                add()
            }
        }
        XCTAssertGreaterThan(salvaged, 0, "seed \(first): no damage was found")
        print("\(salvaged) of them were recovered")
    }

    /// The disk cannot read a segment: the next start continues, and counts what is lost.
    func testSegmentThatCannotBeRead_theNextStartContinues() async throws {
        let lane = try DurableLane()
        lane.repository.set { _ in .fail(.answer(ScriptedAnswer(status: 503))) }
        let first = try lane.start()
        try await first.waitForLines(2, with: ": connected", on: .error)
        try await lane.devices.send(lines: 5, packets: 5)
        let isStored = try await lane.waitForStore(first)
        XCTAssertTrue(isStored)
        try await lane.stop(first, "first")
        lane.repository.set { _ in .keep }
        lane.devices.clearExclusiveUse()
        let name = try XCTUnwrap(Self.segments(in: lane.home.dataDirectory).last)
        var faults = Faults(call: .read, failure: .error(EIO))
        faults.times = nil
        faults.path = "\(lane.home.dataDirectory)/journal/\(name)"
        let second = try lane.start(faults)
        try await second.waitForLines(2, with: ": connected", on: .error)
        try await lane.devices.send(lines: 5, packets: 5)
        let isThere = await lane.waitForLast(second, within: RunningCommand.timeoutSeconds)
        let log = await second.text(of: .error)
        XCTAssertTrue(isThere, log)
        XCTAssertTrue(log.contains("repaired the corrupt journal"), log)
        try await lane.stop(second, log)
        XCTAssertEqual(try lane.home.ledger().imbalances, [])
    }

    /// Records may wait there, which a command that reads the store alone does not see.
    func testQuery_withADamagedJournal_saysSo_andPrintsTheResults() async throws {
        let home = try Home()
        let added = try await home.run("add", "bodyMass", "70", "kg")
        XCTAssertEqual(added.ending, .exited(0), added.error)
        _ = try Self.overwriteStart(in: home.dataDirectory)
        let query = try await home.run("query", "bodyMass")
        XCTAssertEqual(query.ending, .exited(0), query.error)
        XCTAssertTrue(query.output.contains("70 kg"), query.output)
        XCTAssertTrue(query.error.contains("the journal is damaged: the start of"), query.error)
        XCTAssertTrue(query.error.hasSuffix("what to do: `pulsegate doctor`\n"), query.error)
    }

    /// Damages one journal, at random or its start; whether that was found.
    ///
    /// Random damage may hit nothing that is needed, so one journal of a run loses its start.
    private static func survives(
        _ seed: UInt64, withoutStart: Bool
    ) async throws -> Bool {
        var random = SeededGenerator(seed: seed)
        let lane = try DurableLane()
        let first = try lane.start()
        try await first.waitForLines(2, with: ": connected", on: .error)
        // Some of it is delivered everywhere, some waits for the repository.
        try await lane.devices.send(lines: 5, packets: 5)
        let isDelivered = await lane.waitForLast(first, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isDelivered, "seed \(seed)")
        lane.repository.set { _ in .fail(.answer(ScriptedAnswer(status: 503))) }
        for _ in 0..<3 {
            try await lane.devices.send(lines: 5, packets: 5)
            await first.letRun(seconds: DurableLane.commitSeconds)
        }
        await first.send(Bool.random(using: &random) ? SIGTERM : SIGKILL)
        try await first.waitForEnd(within: 10)
        let delivered = try await lane.stored()
        let folder = lane.home.dataDirectory
        let damage =
            withoutStart ? try overwriteStart(in: folder) : try damage(folder, &random)

        lane.repository.set { _ in .keep }
        lane.devices.clearExclusiveUse()
        let context = "seed \(seed): \(damage)"
        let second = try lane.start()
        let isRunning = await lane.waitForDevices(second, within: RunningCommand.timeoutSeconds)
        let log = await second.text(of: .error)
        XCTAssertTrue(isRunning, "\(context): \(log)")
        guard isRunning else { return false }
        let packets = lane.devices.packetCount
        try await lane.devices.send(lines: 5, packets: 5)
        let isThere = await lane.waitForLast(second, within: RunningCommand.timeoutSeconds)
        XCTAssertTrue(isThere, "\(context): \(log)")
        try await lane.stop(second, context)

        let wasSalvaged = log.contains("repaired the corrupt journal")
        try await check(lane, delivered, from: packets, context)
        return wasSalvaged
    }

    private static func check(
        _ lane: DurableLane, _ delivered: [Record], from packets: Int, _ context: String
    ) async throws {
        let stored = try await lane.stored()
        let kept = KeptNumbers(stored, of: lane.devices)
        XCTAssertEqual(kept.findings + lane.repository.findings, [], context)
        XCTAssertTrue(Set(stored).isSuperset(of: delivered), context)
        XCTAssertEqual(kept.packets.suffix(5), ArraySlice(packets..<packets + 5), context)
        // What the repository has the store has too: what waited for one of them waited behind both.
        let ids = Set(stored.map(\.id))
        XCTAssertEqual(Set(lane.repository.records.keys).subtracting(ids), [], context)
        let ledger = try lane.home.ledger()
        XCTAssertEqual(ledger.imbalances, [], context)
        XCTAssertEqual(ledger.pending(for: "store"), 0, context)
        XCTAssertEqual(ledger.pending(for: "repository"), 0, context)
    }

    private static func segments(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/journal")
            .filter { $0.hasSuffix(".segment") }.sorted()
    }

    private static func overwriteStart(in folder: String) throws -> String {
        let name = try XCTUnwrap(segments(in: folder).last)
        let url = URL(fileURLWithPath: "\(folder)/journal/\(name)")
        var data = try Data(contentsOf: url)
        data.replaceSubrange(0..<16, with: repeatElement(0xFF, count: 16))
        try data.write(to: url)
        return "the start of \(name) is overwritten"
    }

    /// Cuts a segment of the journal, or flips some bits of it; what was done, in words.
    private static func damage(
        _ folder: String, _ random: inout SeededGenerator
    ) throws -> String {
        let name = try XCTUnwrap(segments(in: folder).randomElement(using: &random))
        let url = URL(fileURLWithPath: "\(folder)/journal/\(name)")
        var bytes = [UInt8](try Data(contentsOf: url))
        // Most of a segment was not written to yet.
        let used = (bytes.lastIndex { $0 != 0 } ?? 0) + 1
        var damage = "\(name) cut"
        if Bool.random(using: &random) {
            bytes.removeSubrange(Int.random(in: 0..<used, using: &random)...)
            damage += " to \(bytes.count) bytes"
        } else {
            let places = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                Int.random(in: 0..<used, using: &random)
            }
            for place in places { bytes[place] ^= UInt8.random(in: 1...255, using: &random) }
            damage = "\(name) changed at \(places)"
        }
        try Data(bytes).write(to: url)
        return damage
    }
}
