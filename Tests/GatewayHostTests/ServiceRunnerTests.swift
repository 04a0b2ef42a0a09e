import Dispatch
import GatewayCore
import GatewayTesting
import Platform
import Synchronization
import XCTest

@testable import GatewayHost

/// Tests of services: started, run again, replaced and stopped.
final class ServiceRunnerTests: XCTestCase {
    private let clock = ManualClock()
    private let live = LiveLane()

    private func runner(_ services: [NamedService]) -> ServiceRunner {
        ServiceRunner(
            services, live: live, clock: clock, log: Logger(component: "test") { _ in })
    }

    private func settings(_ text: String) throws -> ComponentSettings {
        ComponentSettings(try ConfigurationNode(json5: text))
    }

    func testService_isRunAgainAfterAFailure_whichTheStatusShows() async throws {
        let service = TestService()
        let runner = runner([NamedService(name: "page", service: service)])
        await runner.start()
        await service.waitForStart(1)
        await service.fail("the port is taken")
        await clock.waitForSleepers(1)
        let failing = await runner.status()
        XCTAssertEqual(
            failing, [StatusReport.Part(name: "page", failure: "the port is taken")])
        clock.advance(seconds: 1)
        await service.waitForStart(2)
        clock.advance(seconds: 2)
        let healthy = await runner.status()
        XCTAssertEqual(healthy, [StatusReport.Part(name: "page", failure: nil)])
        await runner.stop()
        XCTAssertEqual(service.endCount, 2)
    }

    func testProblem_isShownUntilItIsOver() async throws {
        let service = TestService()
        let runner = runner([NamedService(name: "page", service: service)])
        await runner.start()
        await service.waitForStart(1)
        service.access?.report("nobody is there")
        let during = await runner.status()
        XCTAssertEqual(during.map(\.failure), ["nobody is there"])
        service.access?.report(nil)
        let after = await runner.status()
        XCTAssertEqual(after.map(\.failure), [nil])
        await runner.stop()
    }

    func testChange_restartsWhatIsDifferent_andEndsWhatIsRemoved() async throws {
        let (kept, changed, removed) = (TestService(), TestService(), TestService())
        let runner = runner([
            NamedService(name: "kept", service: kept, settings: try settings("{ a: 1 }")),
            NamedService(name: "changed", service: changed, settings: try settings("{ a: 1 }")),
            NamedService(name: "removed", service: removed),
        ])
        await runner.start()
        for service in [kept, changed, removed] { await service.waitForStart(1) }

        let (unused, other, added) = (TestService(), TestService(), TestService())
        let change = await runner.change(to: [
            NamedService(name: "kept", service: unused, settings: try settings("{ a: 1 }")),
            NamedService(name: "changed", service: other, settings: try settings("{ a: 2 }")),
            NamedService(name: "added", service: added),
        ])

        XCTAssertEqual(change.kept, ["kept"])
        XCTAssertEqual(change.changed, ["changed"])
        XCTAssertEqual(change.added, ["added"])
        XCTAssertEqual(change.removed, ["removed"])
        for service in [other, added] { await service.waitForStart(1) }
        XCTAssertEqual([kept, changed, removed].map(\.endCount), [0, 1, 1])
        XCTAssertEqual(unused.startCount, 0)
        XCTAssertTrue(changed.isClosed && removed.isClosed && !kept.isClosed)
        await runner.stop()
        XCTAssertEqual([kept, other, added].map(\.endCount), [1, 1, 1])
    }

    /// A service that blocks its thread delays no other, and no stop.
    func testBlockedService_delaysNothing() async throws {
        let (blocked, other) = (TestService(blocks: true), TestService())
        let runner = runner([
            NamedService(name: "a", service: blocked), NamedService(name: "b", service: other),
        ])
        await runner.start()
        await blocked.waitForStart(1)
        await other.waitForStart(1)
        let stopping = Task { await runner.stop() }
        await other.waitForEnd()
        await clock.waitForSleepers(1)
        clock.advance(seconds: 1)
        await stopping.value
        XCTAssertEqual(blocked.endCount, 0)
        blocked.release()
    }

    /// Services that never end take their threads with them.
    func testBlockedServices_thatWereReplaced_delayNoLaterOne() async throws {
        let runner = runner([])
        var blocked: [TestService] = []
        for number in 0..<5 {
            let service = TestService(blocks: true)
            blocked.append(service)
            let changing = Task { [settings = try settings("{ a: \(number) }")] in
                await runner.change(to: [
                    NamedService(name: "a", service: service, settings: settings)
                ])
            }
            if number > 0 {
                await clock.waitForSleepers(1)
                clock.advance(seconds: 1)
            }
            _ = await changing.value
            await service.waitForStart(1)
        }
        for service in blocked { service.release() }
        await runner.stop()
    }

    func testStart_afterTheStop_startsNothing() async throws {
        let runner = runner([])
        await runner.stop()
        let service = TestService()
        _ = await runner.change(to: [NamedService(name: "late", service: service)])
        XCTAssertEqual(service.startCount, 0)
    }
}

/// A service that runs until it is told to fail, or is cancelled.
private final class TestService: Service, Closable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var starts = 0
        var ends = 0
        var access: ServiceAccess?
        var isClosed = false
        var fail: AsyncStream<String>.Continuation?
    }

    private let state = Mutex(State())
    private let starts: AsyncStream<Void>
    private let started: AsyncStream<Void>.Continuation
    private let ends: AsyncStream<Void>
    private let ended: AsyncStream<Void>.Continuation
    private let gate: DispatchSemaphore?

    init(blocks: Bool = false) {
        (starts, started) = AsyncStream.makeStream(of: Void.self)
        (ends, ended) = AsyncStream.makeStream(of: Void.self)
        gate = blocks ? DispatchSemaphore(value: 0) : nil
    }

    var startCount: Int { state.withLock { $0.starts } }
    var endCount: Int { state.withLock { $0.ends } }
    var access: ServiceAccess? { state.withLock { $0.access } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    func run(_ gateway: ServiceAccess) async throws {
        let (failures, fail) = AsyncStream.makeStream(of: String.self)
        state.withLock { state in
            state.starts += 1
            state.access = gateway
            state.fail = fail
        }
        started.yield()
        block()
        defer {
            state.withLock { $0.ends += 1 }
            ended.finish()
        }
        for await failure in failures { throw Failure(description: failure) }
    }

    func waitForStart(_ count: Int) async {
        guard startCount < count else { return }
        for await _ in starts where startCount >= count { return }
    }

    func waitForEnd() async {
        for await _ in ends {}
    }

    func fail(_ reason: String) async {
        _ = state.withLock { $0.fail }?.yield(reason)
    }

    func release() { gate?.signal() }

    private func block() { gate?.wait() }

    func close() async { state.withLock { $0.isClosed = true } }
}
