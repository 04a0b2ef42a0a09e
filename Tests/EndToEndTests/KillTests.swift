import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import JournalLog
import Platform
import SQLite
import XCTest

/// What was accepted survives `kill -9`, at any moment, and is stored once.
///
/// Accepted is what anybody has seen outside of the process before it was killed: the journal's file, the
/// store, the repository, or whoever asked for its status. What was read and not committed is lost with it.
/// `PULSEGATE_KILLS` says how often each test kills.
final class KillTests: XCTestCase {
    private static let kills =
        ProcessInfo.processInfo.environment["PULSEGATE_KILLS"].flatMap { Int($0) }
        ?? 8 * FuzzFactor.current
    /// The longest run before a kill, in milliseconds; until the devices are read it takes some 50.
    private static let longestRun = 400.0
    /// The space of a small disk: what the stored records of a run need, and what a journal needs.
    private static let diskKibibytes = (perKill: 96, least: 4_096)

    func testKilledAtRandomMoments_losesNothingAccepted_andStoresNothingTwice() async throws {
        try await run(.crash, onSmallDisk: false)
    }

    func testKilledAtRandomMoments_whileTheDiskGetsFull() async throws {
        try await run(.crash, onSmallDisk: true)
    }

    func testKilledAtRandomMoments_withDurabilityPowerLoss_whileTheDiskGetsFull() async throws {
        try await run(.powerLoss, onSmallDisk: true)
    }

    private func run(_ durability: Durability, onSmallDisk: Bool) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("kill -9, \(Self.kills) times, durability \(durability), seed \(seed)")
        let lane = try DurableLane(
            settings: "journal: { durability: \"\(durability.rawValue)\" }")
        let size = Self.diskKibibytes.least + Self.kills * Self.diskKibibytes.perKill
        let disk =
            onSmallDisk
            ? try SmallDisk(
                "tmpfs", at: lane.home.folder.makeFolder("data/pulsegate"), kibibytes: size) : nil
        defer { disk?.unmount() }
        var killer = Killer(lane, disk, seed: seed)
        let devices = lane.devices
        let feeding = Task { try await devices.feed() }
        var kill = 0
        // On a busy machine a run may be killed before it accepts anything: there are more of them then.
        while kill < Self.kills || !killer.hasSeenEnough(Self.kills), kill < 10 * Self.kills {
            kill += 1
            let problem = try await killer.kill(after: Self.longestRun / 1_000)
            XCTAssertNil(problem, "seed \(seed), kill \(kill)")
        }
        feeding.cancel()
        disk?.free()
        lane.repository.set { _ in .keep }
        try await lane.finish("seed \(seed)", awaiting: feeding)
        try await check(killer, lane, "durability \(durability), seed \(seed)")
    }

    private func check(_ killer: Killer, _ lane: DurableLane, _ context: String) async throws {
        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(killer.complaints, [], context)
        XCTAssertEqual(findings, [], context)
        let lost = killer.accepted.subtracting(lane.repository.records.keys)
        XCTAssertEqual(lost, [], "\(context): accepted, not stored")
        let ingest = try lane.home.ledger().ingest
        XCTAssertGreaterThanOrEqual(ingest.published, killer.published, context)
        // Otherwise there was too little to mean anything.
        XCTAssertGreaterThan(killer.accepted.count, Self.kills, context)
        XCTAssertGreaterThan(kept.lines.count, Self.kills, context)
        print(
            """
            \(context): \(killer.counts)
              \(lane.devices.lineCount) lines and \(lane.devices.packetCount) packets sent, \
            \(kept.lines.count) and \(kept.packets.count) accepted as \(ingest.published) records, \
            \(killer.accepted.count) of them seen waiting
              lost \(lost.count), doubled or different \(findings.count), \
            unaccepted \(ingest.unaccepted), sent again \(lane.repository.repeats)
            """)
    }
}

/// Runs a gateway again and again, and kills it.
private struct Killer {
    /// What happened.
    struct Counts: CustomStringConvertible {
        var kills = 0
        /// Runs that began or ended with a full disk, and those that could not begin with it.
        var full = 0
        var refused = 0
        /// Runs without the repository, and with a store that is busy.
        var away = 0
        var busy = 0

        var description: String {
            "\(kills) kills, \(full) with a full disk of which \(refused) did not start, "
                + "\(away) without the repository, \(busy) with a busy store"
        }
    }

    private let lane: DurableLane
    private let disk: SmallDisk?
    private var random: SeededGenerator
    private var isFull = false
    private(set) var counts = Counts()
    /// What gateways said of records that they could not read.
    private(set) var complaints: [String] = []
    /// The ids that were seen in the journal, and must not be lost any more.
    private(set) var accepted: Set<RecordID> = []
    /// The highest number of published records that was seen.
    private(set) var published: Int64 = 0

    init(_ lane: DurableLane, _ disk: SmallDisk?, seed: UInt64) {
        (self.lane, self.disk) = (lane, disk)
        random = SeededGenerator(seed: seed)
    }

    /// Whether more records were seen than gateways killed.
    func hasSeenEnough(_ kills: Int) -> Bool { accepted.count > kills }

    /// Runs a gateway for a random time, up to `seconds`, and kills it; returns what is wrong then.
    mutating func kill(after seconds: Double) async throws -> String? {
        counts.kills += 1
        chooseAnswer()
        let lock = random.once(in: 4) ? lockStore() : nil
        if lock != nil { counts.busy += 1 }
        defer { withExtendedLifetime(lock) {} }
        let beganFull = isFull
        let gateway = try lane.start()
        await gateway.letRun(seconds: .random(in: 0...seconds / 2, using: &random))
        try changeSpace()
        await gateway.letRun(seconds: .random(in: 0...seconds / 2, using: &random))
        if Bool.random(using: &random) {
            published = ControlClient.published(in: lane.home.dataDirectory) ?? published
        }
        if beganFull || isFull { counts.full += 1 }
        await gateway.send(SIGKILL)
        let ending = try await gateway.waitForEnd()
        complaints += await gateway.text(of: .error).split(separator: "\n")
            .filter { $0.contains("records lost") || $0.contains("cannot read") }
            .map { "kill \(counts.kills): \($0)" }
        if ending != .killed(bySignal: SIGKILL) {
            guard beganFull || isFull else { return "\(ending): \(await gateway.text(of: .error))" }
            counts.refused += 1
        }
        lane.devices.clearExclusiveUse()
        return try lookIntoJournal()
    }

    /// What the repository does for one run: half of the time it works.
    private mutating func chooseAnswer() {
        let answer: @Sendable (Int) -> KeepingRepository.Answer
        switch Int.random(in: 0..<8, using: &random) {
        case 0: answer = { _ in .fail(.answer(ScriptedAnswer(status: 503))) }
        case 1: answer = { _ in .keepUnsaid(.reset) }
        case 2: answer = { _ in .keepUnsaid(.silence) }
        case 3: answer = { $0 % 2 == 0 ? .keep : .fail(.close) }
        default:
            lane.repository.set { _ in .keep }
            return
        }
        counts.away += 1
        lane.repository.set(answer)
    }

    /// Fills the disk, or frees it, in a third of the runs.
    private mutating func changeSpace() throws {
        guard let disk, random.once(in: 3) else { return }
        if isFull { disk.free() } else { try disk.fill() }
        isFull.toggle()
    }

    /// Keeps others from writing to the store until the connection is released; nil when there is no
    /// store yet, or no space for a lock.
    private func lockStore() -> SQLiteConnection? {
        let path = "\(lane.home.dataDirectory)/health.sqlite"
        guard access(path, F_OK) == 0,
            let connection = try? SQLiteConnection(path: path, access: .readWrite),
            (try? connection.execute("BEGIN IMMEDIATE")) != nil
        else { return nil }
        return connection
    }

    /// Notes what was accepted and what of it waits; returns what is wrong.
    ///
    /// It reads a copy, so that the gateway finds its files as the kill left them.
    private mutating func lookIntoJournal() throws -> String? {
        let copy = try TemporaryFolder()
        let path = "\(lane.home.dataDirectory)/journal"
        // A kill may come before there is a journal at all.
        guard access(path, F_OK) == 0 else { return nil }
        try FileManager.default.copyItem(atPath: path, toPath: copy.path("journal"))
        let file = try LogJournalFile(path: copy.path("journal"), durability: .crash)
        let ledger = try file.ledger()
        let cursor = ledger.sinks.values.map(\.cursor).min() ?? 0
        let slice = try file.read(after: cursor, limit: JournalReadLimit(count: .max))
        var decoder = RecordDecoder()
        for line in (slice?.lines.bytes ?? []).split(separator: UInt8(ascii: "\n")) {
            accepted.insert(try decoder.decode(line).id)
        }
        defer { published = max(published, ledger.ingest.published) }
        return ledger.ingest.published < published
            ? "\(published) records were published, now \(ledger.ingest.published)" : nil
    }
}

extension NumberedDevices {
    /// Sends some 100 lines and 50 packets a second, until it is cancelled.
    func feed() async throws {
        let clock = SystemClock()
        var round = 0
        while true {
            let next = clock.now().adding(nanoseconds: 10_000_000)
            round += 1
            let packets = round % 2
            // A task of its own, which is not cancelled: a line that ends in the middle would be lost.
            try await Task { try await send(lines: 1, packets: packets) }.value
            try await clock.sleep(until: next)
        }
    }
}
