import GatewayTesting
import Glibc
import XCTest

/// The first, second, third … system call of a kind fails, until there is none that has not failed once.
///
/// Whichever it is: the gateway does not crash, says what is wrong where it cannot go on, and once it has
/// run without the fault everything is stored, once, in the store and in the repository.
final class NthFailureTests: XCTestCase {
    /// So many gateways run side by side; most of the time they wait.
    private static let sideBySide = 6
    /// More calls than any run makes.
    private static let mostCalls = 5_000
    /// Calls of which every one fails in an ordinary run, too.
    private static let fewCalls = 12
    /// An ordinary run takes one in so many of the rest.
    private static let usualStride = 12

    func testWrite_onAFullDisk() async throws {
        try await failEach(.write, .error(ENOSPC))
    }

    func testWrite_onABrokenDisk() async throws {
        try await failEach(.write, .error(EIO))
    }

    func testWrite_ofAHalf() async throws {
        try await failEach(.write, .short, stride: 2)
    }

    func testSync() async throws {
        try await failEach(.sync, .error(EIO), settings: #"journal: { durability: "powerLoss" }"#)
    }

    func testTruncate() async throws {
        try await failEach(.truncate, .error(EIO))
    }

    func testRead() async throws {
        try await failEach(.read, .error(EIO))
    }

    func testSend_onALostConnection() async throws {
        try await failEach(.send, .error(ECONNRESET))
    }

    func testSend_ofAHalf() async throws {
        try await failEach(.send, .short)
    }

    func testReceive_onALostConnection() async throws {
        try await failEach(.receive, .error(ECONNRESET))
    }

    func testReceive_ofAnEnd() async throws {
        try await failEach(.receive, .short)
    }

    /// Fails the calls of a kind one after the other, until there are no more; so it was said.
    private func failEach(
        _ call: Faults.Call, _ failure: Faults.Failure, stride factor: Int = 1,
        settings: String = ""
    ) async throws {
        let isThorough = FuzzFactor.current >= 10
        let stride = isThorough ? 1 : Self.usualStride * factor
        let offset = Int.random(in: 0..<stride)
        let numbers = (1...Self.mostCalls).filter {
            $0 <= (isThorough ? 0 : Self.fewCalls / factor) || $0 % stride == offset
        }
        var next = numbers.makeIterator()
        var struck = 0
        try await withThrowingTaskGroup(of: Bool.self) { group in
            func add() {
                guard let number = next.next() else { return }
                group.addTask {
                    try await Self.survives(call, failure, number: number, settings: settings)
                }
            }
            for _ in 0..<Self.sideBySide { add() }
            // Those that are under way when the end is reached are beyond it, too.
            for try await hasStruck in group where hasStruck {
                struck += 1
                add()
            }
        }
        XCTAssertGreaterThan(struck, 0, "no call of this kind failed")
        print("\(call) \(failure): \(struck) of them failed, one in each run")
    }

    /// Runs a gateway in which one call fails, and then a sound one; whether the call was reached.
    private static func survives(
        _ call: Faults.Call, _ failure: Faults.Failure, number: Int, settings: String
    ) async throws -> Bool {
        let context = "\(call) \(number) with \(failure)"
        let lane = try DurableLane(settings: settings)
        var faults = Faults(call: call, failure: failure, first: number)
        faults.path = lane.home.dataFolder
        faults.report = lane.home.folder.path("struck")
        let gateway = try lane.start(faults)
        let isAlive = try await feed(gateway, of: lane)
        let log = await gateway.text(of: .error)
        if isAlive { await gateway.send(SIGTERM) }
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertTrue([.exited(0), .exited(1)].contains(ending), "\(context): \(ending), \(log)")
        if ending != .exited(0) {
            // What ends a start is said last, and the file is named.
            XCTAssertTrue(log.contains(lane.home.dataFolder), "\(context): \(log)")
        }
        try await lane.finish(context)
        let (findings, kept) = try await lane.audit()
        XCTAssertEqual(findings, [], "\(context): \(log)")
        if isAlive {
            XCTAssertEqual(kept.packets, Array(0..<lane.devices.packetCount), "\(context): \(log)")
            // The first line after each start is where counting begins.
            let lines = (1..<lane.devices.lineCount).filter { $0 != lane.devices.lineCount - 3 }
            XCTAssertEqual(kept.lines, lines, "\(context): \(log)")
        }
        return faults.hasStruck
    }

    /// Sends three pieces that are committed apart, and waits until they have arrived, or cannot; whether
    /// the gateway is still there.
    private static func feed(_ gateway: RunningCommand, of lane: DurableLane) async throws -> Bool {
        let areOpen = await lane.waitForDevices(gateway, within: 10)
        guard areOpen else { return await gateway.waits(within: 0) { !$0.hasEnded } }
        for _ in 0..<3 {
            try await lane.devices.send(lines: 10, packets: 10)
            await gateway.letRun(seconds: DurableLane.commitSeconds)
        }
        _ = await lane.waitForLast(gateway, within: 5)
        return await gateway.waits(within: 0) { !$0.hasEnded }
    }
}
