import GatewayTesting
import Glibc
import HTTPTesting
import XCTest

/// A disk or a system call that does not return: the service manager gets no sign of progress, ends the
/// gateway, and nothing that was accepted is lost.
final class ServiceHangTests: XCTestCase {
    /// A time between two pings that is short for a test, in microseconds.
    private static let interval = "4000000"

    /// A gateway under a service manager, with records that only the journal has.
    private struct Trial {
        let lane: DurableLane
        let receiver: NotifyReceiver
        let environment: [String: String]

        init(settings: String = "") throws {
            lane = try DurableLane(settings: settings)
            receiver = try NotifyReceiver()
            environment = [
                "NOTIFY_SOCKET": receiver.path, "WATCHDOG_USEC": ServiceHangTests.interval,
                // A backtrace of a debug build takes many seconds.
                "SWIFT_BACKTRACE": "enable=no",
            ]
        }

        /// Runs a gateway in which something hangs, ends it as systemd does, and lets the next one
        /// deliver what was accepted.
        ///
        /// - Parameter provoke: Lets the call that hangs come.
        func run(
            _ faults: Faults, hanging loop: String,
            provoke: (RunningCommand) async throws -> Void
        ) async throws {
            var faults = faults
            let trouble = lane.home.folder.path("trouble")
            faults.meanwhile = trouble
            faults.times = nil
            lane.repository.set { _ in .fail(.reset) }
            let gateway = try lane.start(faults, environment: environment)
            try await gateway.waitForLines(2, with: ": connected", on: .error)
            try await lane.devices.send(lines: 5, packets: 5)
            let isStored = try await lane.waitForStore(gateway)
            XCTAssertTrue(isStored)
            let accepted = (lane.linesToKeep, lane.devices.packetCount)
            XCTAssertNotNil(receiver.next(with: "WATCHDOG=1"))

            _ = try lane.home.folder.write([], to: "trouble")
            try await provoke(gateway)
            try await gateway.waitForLines(with: "watchdog: no answer", on: .error)
            let log = await gateway.text(of: .error)
            let report = log.split(separator: "\n").first { $0.contains("watchdog: no answer") }
            XCTAssertTrue(report?.contains(loop) == true, log)
            _ = receiver.waiting()
            await gateway.letRun(seconds: 4.5)
            XCTAssertEqual(receiver.waiting().filter { $0.contains("WATCHDOG") }, [])
            await gateway.send(SIGABRT)
            let ending = try await gateway.waitForEnd(within: 20)
            XCTAssertEqual(ending, .killed(bySignal: SIGABRT))
            unlink(trouble)
            try await deliver(accepted, hanging: loop)
        }

        /// Starts the gateway again, and compares what has arrived with what was accepted.
        private func deliver(
            _ accepted: (lines: [Int], packetCount: Int), hanging loop: String
        ) async throws {
            lane.devices.clearExclusiveUse()
            lane.repository.set { _ in .keep }
            let gateway = try lane.start(environment: environment)
            try await gateway.waitForLines(
                with: "watchdog: the last run ended while it did not answer", on: .error)
            let log = await gateway.text(of: .error)
            XCTAssertTrue(log.contains(loop), log)
            try await gateway.waitForLines(2, with: ": connected", on: .error)
            XCTAssertNotNil(receiver.next(with: "WATCHDOG=1"))
            try await lane.devices.send(lines: 3, packets: 3)
            let isThere = await lane.waitForLast(gateway, within: RunningCommand.timeoutSeconds)
            XCTAssertTrue(isThere)
            try await lane.stop(gateway, loop)
            let (findings, kept) = try await lane.audit()
            XCTAssertEqual(findings, [])
            XCTAssertTrue(Set(kept.lines).isSuperset(of: accepted.lines))
            XCTAssertTrue(Set(kept.packets).isSuperset(of: 0..<accepted.packetCount))
        }
    }

    func testJournalWhoseDiskDoesNotReturn_isNamed_andKeepsWhatWasAccepted() async throws {
        let trial = try Trial()
        var faults = Faults(call: .write, failure: .hang)
        faults.path = "\(trial.lane.home.dataDirectory)/journal/"
        try await trial.run(faults, hanging: "journal") { _ in
            try await trial.lane.devices.send(lines: 5, packets: 5)
        }
    }

    func testJournalThatWaitsForTheDisk_isNamed_andKeepsWhatWasAccepted() async throws {
        let trial = try Trial(settings: #"journal: { durability: "powerLoss" }"#)
        var faults = Faults(call: .sync, failure: .hang)
        faults.path = "\(trial.lane.home.dataDirectory)/journal/"
        try await trial.run(faults, hanging: "journal") { _ in
            try await trial.lane.devices.send(lines: 5, packets: 5)
        }
    }

    /// A plugin cannot keep the pipeline, which calls none; a system call can.
    func testPipelineThatDoesNotReturn_isNamed_andKeepsWhatWasAccepted() async throws {
        let trial = try Trial()
        let asking = try await run(trial)
        await asking.send(SIGKILL)
        try await asking.waitForEnd()
    }

    /// Asks for the status, for which the pipeline asks the kernel about the clock.
    private func run(_ trial: Trial) async throws -> RunningCommand {
        let home = trial.lane.home
        var asking: RunningCommand?
        try await trial.run(Faults(call: .clock, failure: .hang), hanging: "pipeline") { _ in
            asking = try home.start("status")
        }
        return try XCTUnwrap(asking)
    }
}
