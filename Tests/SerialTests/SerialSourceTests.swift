import GatewayCore
import GatewayTesting
import HealthModel
import Platform
import Readings
import XCTest

@testable import Serial

final class SerialSourceTests: XCTestCase {
    private let clock = ManualClock()
    private let log = LogRecorder()
    private let inlet = RecordingInlet()

    private func makeSource(_ path: String, _ spoken: ScriptedProtocol) -> SerialSource {
        let clock = clock
        let context = ComponentContext(
            name: "foot", clock: clock, log: log.logger, dataDirectory: "/nowhere")
        return SerialSource(identifier: path, serialProtocol: spoken, context: context) {
            makePort(path, settings: spoken.lineSettings, clock: clock)
        }
    }

    private func run(_ source: SerialSource) -> Task<Void, any Error> {
        let inlet = inlet
        return Task { try await source.run(into: inlet) }
    }

    func testRun_reportsTheDeviceWithWhatIsKnown() async throws {
        let terminal = try PseudoTerminal()
        let known = Device(manufacturer: "Zephyr", model: "HxM BT", serial: "12")
        let running = run(makeSource(terminal.slavePath, ScriptedProtocol(device: known)))
        var reports = inlet.reports.makeAsyncIterator()
        let report = await reports.next()
        XCTAssertEqual(report?.device, terminal.slavePath)
        guard case .opened(let device, let moment) = report?.content else {
            return XCTFail("\(String(describing: report))")
        }
        XCTAssertEqual(
            device,
            Device(
                name: "foot", manufacturer: "Zephyr", model: "HxM BT",
                localIdentifier: terminal.slavePath, serial: "12"))
        XCTAssertEqual(moment, clock.now())
        running.cancel()
        await assertCancelled { try await running.value }
    }

    func testRun_reportsReadingsAndDropsInOrder() async throws {
        let terminal = try PseudoTerminal()
        let spoken = ScriptedProtocol(respond: { event in
            guard case .received(let bytes, .stream) = event.kind else { return [] }
            return bytes.map { byte in
                byte == 0
                    ? .dropped(.damaged) : .reading(.state(.battery(Double(byte) / 100)))
            }
        })
        let running = run(makeSource(terminal.slavePath, spoken))
        var reports = inlet.reports.makeAsyncIterator()
        _ = await reports.next()
        try terminal.write([50, 0, 49, 0])
        var levels: [Double] = []
        var receipts: [BootInstant] = []
        var drops = 0
        while levels.count < 2 || drops < 2, let report = await reports.next() {
            switch report.content {
            case .readings(let readings):
                receipts += readings.map(\.receipt)
                levels += readings.compactMap { reading in
                    guard case .state(.battery(let level)) = reading.reading else { return nil }
                    return level
                }
            case .dropped(let counts): drops += counts[.damaged] ?? 0
            default: XCTFail("\(report)")
            }
        }
        XCTAssertEqual(levels, [0.5, 0.49])
        XCTAssertEqual(receipts.count, Set(receipts).count)
        XCTAssertEqual(receipts, receipts.sorted())
        running.cancel()
        await assertCancelled { try await running.value }
    }

    func testRun_whenUnplugged_reportsClosedAndThrowsWithTheRemedy() async throws {
        let terminal = try PseudoTerminal()
        let running = run(makeSource(terminal.slavePath, ScriptedProtocol()))
        var reports = inlet.reports.makeAsyncIterator()
        _ = await reports.next()
        terminal.close()
        let closed = await reports.next()
        guard case .closed(_, let reason) = closed?.content else {
            return XCTFail("\(String(describing: closed))")
        }
        let expected = SerialError.unplugged(path: terminal.slavePath)
        XCTAssertEqual(reason, "unplugged")
        await assertThrows(expected.linkError) { try await running.value }
    }

    func testRun_whenCancelled_reportsStoppedAndFreesThePort() async throws {
        let terminal = try PseudoTerminal()
        let running = run(makeSource(terminal.slavePath, ScriptedProtocol()))
        var reports = inlet.reports.makeAsyncIterator()
        _ = await reports.next()
        running.cancel()
        await assertCancelled { try await running.value }
        let closed = await reports.next()
        guard case .closed(_, "stopped") = closed?.content else {
            return XCTFail("\(String(describing: closed))")
        }
        let port = makePort(terminal.slavePath)
        _ = try await port.open()
        await port.close()
    }

    func testRun_whenCancelledBefore_opensNothing() async throws {
        let terminal = try PseudoTerminal()
        let source = makeSource(terminal.slavePath, ScriptedProtocol())
        let inlet = inlet
        let running = Task {
            while !Task.isCancelled { await Task.yield() }
            try await source.run(into: inlet)
        }
        running.cancel()
        await assertCancelled { try await running.value }
        XCTAssertEqual(log.messages, [])
    }

    func testRun_whenThePortIsMissing_throwsAndReportsNothing() async throws {
        let source = makeSource("/dev/pulsegate-none", ScriptedProtocol())
        await assertThrows(SerialError.noSuchPort(path: "/dev/pulsegate-none").linkError) {
            try await source.run(into: inlet)
        }
        XCTAssertEqual(log.messages, [])
    }

    func testRun_twice_isIndependent() async throws {
        let terminal = try PseudoTerminal()
        let source = makeSource(terminal.slavePath, ScriptedProtocol())
        var reports = inlet.reports.makeAsyncIterator()
        for _ in 0..<3 {
            let running = run(source)
            let opened = await reports.next()
            guard case .opened = opened?.content else {
                return XCTFail("\(String(describing: opened))")
            }
            running.cancel()
            await assertCancelled { try await running.value }
            _ = await reports.next()
        }
    }

    func testRun_sendsWhatTheAdapterWants() async throws {
        let terminal = try PseudoTerminal()
        let spoken = ScriptedProtocol(respond: { event in
            switch event.kind {
            case .opened: [.send(Array("FI\n".utf8), on: .stream)]
            case .received: [.send(Array("FR\n".utf8), on: .stream)]
            default: []
            }
        })
        let running = run(makeSource(terminal.slavePath, spoken))
        let first = try await terminal.receive(count: 3)
        XCTAssertEqual(first, Array("FI\n".utf8))
        try terminal.write(Array("ok".utf8))
        let second = try await terminal.receive(count: 3)
        XCTAssertEqual(second, Array("FR\n".utf8))
        running.cancel()
        await assertCancelled { try await running.value }
    }

    func testRun_whenDeviceTakesNothing_failsAfterTheLimit() async throws {
        let terminal = try PseudoTerminal()
        let spoken = ScriptedProtocol(respond: { event in
            event.kind == .opened
                ? [.send([UInt8](repeating: 0, count: 60_000), on: .stream)] : []
        })
        let running = run(makeSource(terminal.slavePath, spoken))
        await clock.waitForSleepers(1)
        clock.advance(seconds: 2)
        await assertThrows(SerialError.writeTimedOut(path: terminal.slavePath).linkError) {
            try await running.value
        }
    }

    func testRun_wakesTheAdapterWhenItWants() async throws {
        let terminal = try PseudoTerminal()
        let spoken = ScriptedProtocol(respond: { event in
            let next = AdapterAction.wake(at: event.receipt.adding(nanoseconds: 3_000_000_000))
            switch event.kind {
            case .opened: return [next]
            case .timer: return [.send([7], on: .stream), next]
            default: return []
            }
        })
        let running = run(makeSource(terminal.slavePath, spoken))
        for _ in 0..<3 {
            await clock.waitForSleepers(1)
            clock.advance(seconds: 3)
            let bytes = try await terminal.receive()
            XCTAssertEqual(bytes, [7])
        }
        running.cancel()
        await assertCancelled { try await running.value }
    }

    func testRun_whenAskedToReadAChannel_continues() async throws {
        let terminal = try PseudoTerminal()
        let spoken = ScriptedProtocol(respond: { event in
            event.kind == .opened ? [.read(Channel("2a38")), .send([1], on: .stream)] : []
        })
        let running = run(makeSource(terminal.slavePath, spoken))
        let bytes = try await terminal.receive()
        XCTAssertEqual(bytes, [1])
        XCTAssertTrue(
            log.messages.contains("read from a channel is not supported by a serial stream"))
        running.cancel()
        await assertCancelled { try await running.value }
    }

    func testRun_whenSilentForTooLong_reportsItOnceUntilBytesCome() async throws {
        let terminal = try PseudoTerminal()
        let spoken = ScriptedProtocol(
            silenceLimitSeconds: 10,
            respond: { event in
                guard case .received = event.kind else { return [] }
                return [.reading(.state(.battery(1)))]
            })
        let running = run(makeSource(terminal.slavePath, spoken))
        var reports = inlet.reports.makeAsyncIterator()
        _ = await reports.next()
        for _ in 0..<2 {
            await clock.waitForSleepers(1)
            clock.advance(seconds: 10)
            let stale = await reports.next()
            guard case .stale(let moment, _) = stale?.content else {
                return XCTFail("\(String(describing: stale))")
            }
            XCTAssertEqual(moment, clock.now())
            clock.advance(seconds: 100)
            try terminal.write([1])
            let readings = await reports.next()
            guard case .readings = readings?.content else {
                return XCTFail("\(String(describing: readings))")
            }
        }
        running.cancel()
        await assertCancelled { try await running.value }
    }

    func testRun_handsOnWhatTheAdapterSaysAtTheEnd() async throws {
        let terminal = try PseudoTerminal()
        let spoken = ScriptedProtocol(respond: { event in
            event.kind == .closed
                ? [.reading(.state(.contact(false))), .send([1], on: .stream)] : []
        })
        let running = run(makeSource(terminal.slavePath, spoken))
        var reports = inlet.reports.makeAsyncIterator()
        _ = await reports.next()
        running.cancel()
        await assertCancelled { try await running.value }
        guard case .readings(let readings) = await reports.next()?.content else {
            return XCTFail("no readings")
        }
        XCTAssertEqual(readings.map(\.reading), [.state(.contact(false))])
        guard case .closed = await reports.next()?.content else { return XCTFail("not closed") }
    }
}
