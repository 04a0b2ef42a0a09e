import GatewayTesting
import Glibc
import HTTPTesting
import XCTest

/// The first, second, third … system call of a kind fails, until there is none that has not failed once.
///
/// Whichever it is: the gateway does not crash, says what is wrong where it cannot go on, and once it has
/// run without the fault everything is stored, once, in the store and in the repository.
final class NthFailureTests: XCTestCase {
    /// One of many runs: which call fails in it, and how.
    private struct Trial {
        let call: Faults.Call
        let failure: Faults.Failure
        /// Whether all calls after it fail too, until everything was sent.
        var lasts = false
        /// Whether the gateway finds the files of one that was killed, with records that wait.
        var isAfterKill = false
        var settings = ""
        /// Which one of the calls, counted from 1.
        var number = 0

        var name: String {
            "\(call) \(failure)\(lasts ? " that lasts" : "")\(isAfterKill ? ", after a kill" : "")"
        }
    }

    /// So many gateways run side by side; most of the time they wait.
    private static let sideBySide = 6
    /// A gateway that has not gone on after so many seconds is left to the next start.
    private static let timeoutSeconds = 20.0
    /// More calls than any run makes.
    private static let mostCalls = 5_000
    /// Calls of which every one fails in every run.
    private static let first = 3
    /// Of the others one in so many fails, beginning anywhere: few at a desk, more where every change is
    /// checked, and all from a factor of 20 on.
    private static func stride(_ thorough: Int) -> Int {
        switch FuzzFactor.current {
        case 20...: thorough
        case 5...: max(thorough, 5)
        case 2...: 12
        default: 24
        }
    }

    func testWrite_onAFullDisk() async throws {
        try await failEach(Trial(call: .write, failure: .error(ENOSPC)))
    }

    func testWrite_onADiskThatStaysFull() async throws {
        try await failEach(Trial(call: .write, failure: .error(ENOSPC), lasts: true), stride: 8)
    }

    func testWrite_onABrokenDisk() async throws {
        try await failEach(Trial(call: .write, failure: .error(EIO), isAfterKill: true))
    }

    func testWrite_ofAHalf() async throws {
        try await failEach(Trial(call: .write, failure: .short), stride: 4)
    }

    func testSync() async throws {
        let settings = #"journal: { durability: "powerLoss" }"#
        try await failEach(Trial(call: .sync, failure: .error(EIO), settings: settings))
    }

    func testTruncate() async throws {
        try await failEach(Trial(call: .truncate, failure: .error(EIO), isAfterKill: true))
    }

    func testRead() async throws {
        try await failEach(Trial(call: .read, failure: .error(EIO), isAfterKill: true))
    }

    func testSend_onALostConnection() async throws {
        try await failEach(Trial(call: .send, failure: .error(ECONNRESET)))
    }

    func testSend_ofAHalf() async throws {
        try await failEach(Trial(call: .send, failure: .short))
    }

    func testReceive_onALostConnection() async throws {
        try await failEach(Trial(call: .receive, failure: .error(ECONNRESET)))
    }

    func testReceive_ofAnEnd() async throws {
        try await failEach(Trial(call: .receive, failure: .short))
    }

    /// Fails the calls of a kind one after the other, until there are no more.
    ///
    /// - Parameter stride: One in so many is enough where they are tried thoroughly.
    private func failEach(_ trial: Trial, stride thorough: Int = 1) async throws {
        let stride = Self.stride(thorough)
        let offset = Int.random(in: 0..<stride)
        let numbers = (1...Self.mostCalls).filter {
            $0 % stride == offset || $0 <= Self.first
        }
        var next = numbers.makeIterator()
        var struck = 0
        try await withThrowingTaskGroup(of: Bool.self) { group in
            func add() {
                guard let number = next.next() else { return }
                var trial = trial
                trial.number = number
                group.addTask { [trial] in try await Self.survives(trial) }
            }
            for _ in 0..<Self.sideBySide { add() }
            // Those that are under way when the end is reached are beyond it, too.
            for try await hasStruck in group where hasStruck {
                struck += 1
                add()
            }
        }
        XCTAssertGreaterThan(struck, 0, "\(trial.name): none was reached")
        print("\(trial.name): \(struck) calls failed, each in a run of its own")
    }

    /// Runs a gateway in which calls fail, and then a sound one; whether the first call was reached.
    private static func survives(_ trial: Trial) async throws -> Bool {
        let lane = try DurableLane(settings: trial.settings)
        if trial.isAfterKill { try await killOne(lane) }
        var faults = Faults(call: trial.call, failure: trial.failure, first: trial.number)
        faults.path = lane.home.dataDirectory
        faults.report = lane.home.folder.path("struck")
        if trial.lasts {
            faults.times = nil
            faults.meanwhile = try lane.home.folder.write([], to: "trouble")
        }
        let gateway = try lane.start(faults)
        let isReading = await lane.waitForDevices(gateway, within: Self.timeoutSeconds)
        if isReading { try await feed(lane, gateway) }
        if let path = faults.meanwhile { unlink(path) }
        let hasArrived =
            isReading ? await lane.waitForLast(gateway, within: Self.timeoutSeconds) : false
        let log = await gateway.text(of: .error)
        let context = "\(trial.name), number \(trial.number): \(log)"
        let wasAlive = await gateway.waits(within: 0) { !$0.hasEnded }
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertTrue([.exited(0), .exited(1)].contains(ending), "\(ending), \(context)")
        // What keeps it from starting is said last; what keeps it from going on is a warning.
        let isSaid = log.contains(wasAlive ? "warning: " : lane.home.dataDirectory)
        XCTAssertTrue(hasArrived || isSaid, context)

        try await lane.finish(context)
        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(findings, [], context)
        if wasAlive {
            XCTAssertEqual(kept.packets, Array(0..<lane.devices.packetCount), context)
            XCTAssertEqual(kept.lines, lane.linesToKeep, context)
        }
        return faults.hasStruck
    }

    /// Leaves the files of a gateway that was killed before its repository had acknowledged anything.
    private static func killOne(_ lane: DurableLane) async throws {
        lane.repository.set { _ in .keepUnsaid(.reset) }
        let gateway = try lane.start()
        try await gateway.waitForLines(2, with: ": connected", on: .error)
        try await lane.devices.send(lines: 5, packets: 5)
        // Not for the repository: it never acknowledges its first batch, so it may not get a second.
        let isThere = try await lane.waitForStore(gateway)
        XCTAssertTrue(isThere)
        await gateway.send(SIGKILL)
        try await gateway.waitForEnd()
        lane.devices.clearExclusiveUse()
        lane.repository.set { _ in .keep }
    }

    /// Sends three pieces that are committed apart.
    private static func feed(_ lane: DurableLane, _ gateway: RunningCommand) async throws {
        for _ in 0..<3 {
            try await lane.devices.send(lines: 10, packets: 10)
            await gateway.letRun(seconds: DurableLane.commitSeconds)
        }
    }
}
