import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import Synchronization
import XCTest

/// The suite finds sources that close or adapt in the wrong way, and only those.
final class SourceChangeConformanceTests: XCTestCase {
    /// The link of a strap, which the test makes send.
    private final class Line: Sendable {
        private enum Phase {
            case starting
            case open(any ReadingInlet)
            case ended
        }

        private struct State {
            var phase = Phase.starting
            var isMute = false
            var time: Int64 = 1
            var waiters: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        func begin() {
            state.withLock { $0.isMute = false }
            change { $0 = .starting }
        }
        func open(_ inlet: any ReadingInlet) { change { $0 = .open(inlet) } }
        func end() { change { $0 = .ended } }
        func mute() { state.withLock { $0.isMute = true } }

        private func change(_ body: (inout Phase) -> Void) {
            let waiters = state.withLock { state in
                body(&state.phase)
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }

        /// Sends a heart rate over the open link, once it is open.
        func send() async throws {
            let value = try Quantity(61, .countPerMinute)
            await report { .readings([TimedReading(.instant(.heartRate, value), at: $0)]) }
        }

        /// Reports over the open link, once it is open.
        func report(_ content: (BootInstant) -> DeviceReport.Content) async {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard case .starting = state.phase else { return false }
                    state.waiters.append(continuation)
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
            let (inlet, time) = state.withLock { state in
                state.time += 1
                let time = BootInstant(nanoseconds: state.time)
                guard case .open(let inlet) = state.phase, !state.isMute else {
                    return (nil as (any ReadingInlet)?, time)
                }
                return (inlet, time)
            }
            await inlet?.report(DeviceReport(device: "strap", content(time)))
        }
    }

    /// A strap that sends when it is told to.
    private struct Strap: Source, Closable {
        let line: Line
        var adapts: @Sendable (Line) async -> Bool = { _ in true }
        var closes: @Sendable () async -> Void = {}

        func run(into inlet: any ReadingInlet) async throws {
            try Task.checkCancellation()
            line.begin()
            let time = BootInstant(nanoseconds: 1)
            await inlet.report(DeviceReport(device: "strap", .opened(Device(), at: time)))
            line.open(inlet)
            do {
                try await SystemClock().sleep(seconds: 3_600)
            } catch {
                line.end()
                let closed = DeviceReport.Content.closed(at: time, reason: "stopped")
                await inlet.report(DeviceReport(device: "strap", closed))
                throw error
            }
        }

        func adapt(to other: any Source) async -> Bool { await adapts(line) }
        func close() async { await closes() }
    }

    private func findings(_ change: (inout Strap) -> Void = { _ in }) async -> String {
        let line = Line()
        var strap = Strap(line: line)
        change(&strap)
        return await SourceConformance.findings(for: strap, adaptingTo: Strap(line: line)) {
            try await line.send()
        }.text
    }

    func testGoodSource_hasNoFinding() async {
        let capable = await findings()
        XCTAssertEqual(capable, "")
        let incapable = await findings { $0.adapts = { _ in false } }
        XCTAssertEqual(incapable, "")
    }

    func testSourceThatClosesItsLinkToAdapt_isFound() async {
        let found = await findings {
            $0.adapts = { line in
                await line.report { .closed(at: $0, reason: "changed") }
                await line.report { .opened(Device(), at: $0) }
                return true
            }
        }
        XCTAssertEqual(found, "closes a link that both sources have to adapt")
    }

    func testSourceThatIsSilentAfterItHasAdapted_isFound() async {
        let found = await findings {
            $0.adapts = { line in
                line.mute()
                return true
            }
        }
        XCTAssertTrue(
            found.contains("reports no reading after it has adapted to the same settings"), found)
    }

    func testCallsThatDoNotReturn_areFound() async {
        let gate = AsyncStream.makeStream(of: Void.self)
        let stuck: @Sendable () async -> Void = {
            let waiting = Task.detached { for await _ in gate.stream {} }
            await waiting.value
        }
        let found = await findings {
            $0.closes = stuck
            $0.adapts = { _ in
                await stuck()
                return true
            }
        }
        gate.continuation.finish()
        XCTAssertTrue(found.contains("`close` did not return within 2 s"), found)
        XCTAssertTrue(found.contains("`adapt` did not return within 5 s"), found)
    }
}
