import GatewayTesting
import HealthModel
import Readings
import Synchronization
import XCTest

@testable import Exec
@testable import GatewayCore
@testable import Platform

/// The watchdog asks the loop that reads a program, and not the program.
final class ProgramProbeTests: XCTestCase {
    /// An inlet that lets its source wait, as a journal without space does.
    private struct FullInlet: ReadingInlet {
        let waiting: AsyncStream<Void>.Continuation

        func report(_ report: DeviceReport) async {
            waiting.yield()
            let (space, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in space {}
        }
    }

    /// A clock whose reading does not return while it is held.
    private struct StuckClock: GatewayClock {
        let clock = SystemClock()
        let isStuck = Flag()
        let arrival = Semaphore()
        let release = Semaphore()

        final class Flag: Sendable {
            let isSet = Atomic(false)
        }

        func now() -> BootInstant {
            if isStuck.isSet.exchange(false, ordering: .sequentiallyConsistent) {
                arrival.signal()
                release.wait()
            }
            return clock.now()
        }
        func sleep(until deadline: BootInstant) async throws {
            try await clock.sleep(until: deadline)
        }
        func epoch() -> ClockEpoch { clock.epoch() }
        func epoch(after old: ClockEpoch) async throws -> ClockEpoch {
            try await clock.epoch(after: old)
        }
        func isSynchronized() -> Bool? { nil }
    }

    /// A running source of a script.
    private struct Trial {
        let fixture: ProgramFixture
        let probes = ProgressProbes()
        let pool = TaskPool(name: "exec probe test", count: 3)
        private let answers: AsyncStream<Void>

        init(_ clock: any GatewayClock = SystemClock()) throws {
            fixture = try ProgramFixture(clock: clock)
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            probes.observe { answered.yield() }
            self.answers = answers
        }

        func start(_ script: String, into inlet: any ReadingInlet) throws -> Task<Void, Never> {
            var context = fixture.context
            context.probes = probes
            let source = try ExecSource.factory.make(fixture.settings(script: script), context)
            return Task(executorPreference: pool) { try? await source.run(into: inlet) }
        }

        /// Asks, and waits for the answer.
        func ask() async {
            probes.ask()
            for await _ in answers { break }
        }
    }

    private static let reading =
        #"echo '{"reading":"instant","type":"heartRate","value":70,"unit":"count/min"}'"#

    func testProgramThatDoesNotPrint_isNoHang() async throws {
        let trial = try Trial()
        let inlet = RecordingInlet()
        let run = try trial.start("\(Self.reading); exec cat", into: inlet)
        for await report in inlet.reports {
            if case .readings = report.content { break }
        }
        for _ in 0..<3 { await trial.ask() }
        XCTAssertEqual(trial.probes.loops, [.source("own")])
        run.cancel()
        await run.value
        XCTAssertEqual(trial.probes.loops, [])
    }

    func testProgramThatHasClosedItsOutput_isNoHang() async throws {
        let trial = try Trial()
        let inlet = RecordingInlet()
        let run = try trial.start(
            "\(Self.reading); exec >&-; : > \"$0/closed\"; exec sleep 100", into: inlet)
        await trial.fixture.wait(for: "closed")
        for _ in 0..<3 { await trial.ask() }
        run.cancel()
        await run.value
    }

    func testSourceThatWaitsForSpace_isNoHang() async throws {
        let trial = try Trial()
        let (waits, waiting) = AsyncStream.makeStream(of: Void.self)
        let run = try trial.start(
            "\(Self.reading); exec cat", into: FullInlet(waiting: waiting))
        for await _ in waits { break }
        for _ in 0..<3 { await trial.ask() }
        run.cancel()
        await run.value
    }

    func testLoopThatDoesNotReturn_isAHang_untilItDoes() async throws {
        let clock = StuckClock()
        let trial = try Trial(clock)
        let inlet = RecordingInlet()
        let run = try trial.start(
            "\(Self.reading); while ! [ -e \"$0/more\" ]; do sleep 0.01; done; \(Self.reading); exec cat",
            into: inlet)
        for await report in inlet.reports {
            if case .readings = report.content { break }
        }
        clock.isStuck.isSet.store(true, ordering: .sequentiallyConsistent)
        _ = try trial.fixture.folder.write([], to: "more")
        await Task(executorPreference: trial.pool) { clock.arrival.wait() }.value
        trial.probes.ask()
        XCTAssertEqual(trial.probes.pending, [.source("own")])
        clock.release.signal()
        while !trial.probes.pending.isEmpty { await Task.yield() }
        run.cancel()
        await run.value
    }
}
