import Synchronization
import XCTest

@testable import Platform

/// Tests of the watch over calls that may not return.
final class CallWatchTests: XCTestCase {
    private func at(_ seconds: Double) -> BootInstant {
        BootInstant(nanoseconds: Int64(seconds * 1e9))
    }

    private func snapshot(
        _ slot: Int32 = 0, since start: Double? = nil, count: Int64 = 0, busy seconds: Double = 0
    ) -> CallMarks.Snapshot {
        CallMarks.Snapshot(
            slot: slot, source: "foot", device: "port\(slot)", start: start.map(at), count: count,
            busyNanoseconds: Int64(seconds * 1e9))
    }

    func testLook_reportsACallThatDoesNotReturn_once_andItsReturn() {
        var watch = CallWatch()
        XCTAssertEqual(watch.look(at: [snapshot(since: 10)], now: at(10.5)), [])
        XCTAssertEqual(
            watch.look(at: [snapshot(since: 10)], now: at(11)),
            [.stalled(source: "foot", device: "port0", since: at(10))])
        XCTAssertEqual(watch.look(at: [snapshot(since: 10)], now: at(12)), [])
        XCTAssertEqual(
            watch.look(at: [snapshot(count: 1)], now: at(13)),
            [.returned(source: "foot", device: "port0", seconds: 3)])
        XCTAssertEqual(watch.look(at: [snapshot(count: 1)], now: at(14)), [])
    }

    func testLook_aDeviceThatIsGone_hasReturned() {
        var watch = CallWatch()
        _ = watch.look(at: [snapshot(since: 1)], now: at(3))
        XCTAssertEqual(
            watch.look(at: [], now: at(4)),
            [.returned(source: "foot", device: "port0", seconds: 3)])
    }

    func testLook_isActive_whileCallsAreMade() {
        var watch = CallWatch()
        _ = watch.look(at: [snapshot(count: 1)], now: at(1))
        XCTAssertTrue(watch.isActive)
        _ = watch.look(at: [snapshot(count: 1)], now: at(2))
        XCTAssertFalse(watch.isActive)
        _ = watch.look(at: [snapshot(count: 2)], now: at(3))
        XCTAssertTrue(watch.isActive)
        _ = watch.look(at: [snapshot(since: 3.5, count: 2)], now: at(4))
        XCTAssertTrue(watch.isActive)
    }

    func testLook_reportsADeviceThatKeepsAProcessorBusy() {
        var watch = CallWatch()
        var events: [CallWatch.Event] = []
        for second in 0..<20 {
            let busy = snapshot(count: Int64(second), busy: Double(second) * 0.75)
            events += watch.look(at: [busy], now: at(Double(second)))
        }
        XCTAssertEqual(events, [.busy(source: "foot", device: "port0", share: 0.75)])
    }

    func testLook_reportsMemoryThatCallsKeep_once() {
        var watch = CallWatch()
        var kept = snapshot(count: 1)
        var events: [CallWatch.Event] = []
        for second in 1...4 {
            kept.keptBytes = Int64(second) * 20 << 20
            events += watch.look(at: [kept], now: at(Double(second)))
        }
        XCTAssertEqual(
            events, [.hoards(source: "foot", device: "port0", bytes: 40 << 20)])
    }

    func testMarks_areReused_andNamesAreCut() throws {
        let marks = CallMarks()
        var held: [CallMark] = []
        while let mark = marks.mark(source: "source", device: "device") { held.append(mark) }
        XCTAssertEqual(held.count, 2_048)
        held = []
        let mark = try XCTUnwrap(
            marks.mark(source: "s", device: String(repeating: "ä", count: 500)))
        XCTAssertEqual(marks.snapshots.map(\.source), ["s"])
        XCTAssertLessThan(marks.snapshots[0].device.utf8.count, 120)
        XCTAssertNil(marks.snapshots[0].start)
        mark.during { XCTAssertNotNil(marks.snapshots[0].start) }
        XCTAssertEqual(marks.snapshots[0].count, 1)
    }

    func testWatchdog_reportsARealCall_andSleepsBetween() async throws {
        let marks = CallMarks()
        let mark = try XCTUnwrap(marks.mark(source: "foot", device: "port"))
        let (events, continuation) = AsyncStream.makeStream(of: CallWatch.Event.self)
        let watchdog = CallWatchdog(marks) { continuation.yield($0) }
        let gate = Semaphore()
        SystemThread.start(name: "stalled") { mark.during { gate.wait() } }
        var iterator = events.makeAsyncIterator()
        guard case .stalled("foot", "port", _) = await iterator.next() else {
            return XCTFail("not reported")
        }
        gate.signal()
        guard case .returned("foot", "port", _) = await iterator.next() else {
            return XCTFail("its return is not reported")
        }
        withExtendedLifetime(watchdog) {}
    }
}
