import Glibc
import Synchronization
import XCTest

@testable import Platform

final class EventLoopTests: XCTestCase {
    /// A driver with a pipe, with a timeout, or busy for a while.
    private final class Driver: LoopDriver {
        var pipe: (read: Int32, write: Int32)?
        var deadline = UInt64.max
        var turnsLeft = 0
        var waitsItself = false
        var processed: @Sendable () -> Void = {}
        var asked: () -> Void = {}
        private let ended: @Sendable () -> Void

        init(ended: @escaping @Sendable () -> Void = {}) {
            self.ended = ended
        }

        deinit {
            ended()
        }

        var isIdle: Bool { pipe == nil && deadline == .max && turnsLeft == 0 && !waitsItself }

        func process() -> Bool {
            var byte: UInt8 = 0
            if let pipe, read(pipe.read, &byte, 1) == 1 { finish() }
            if deadline <= SystemTime.monotonicMicroseconds() { finish() }
            guard turnsLeft > 0 else { return false }
            turnsLeft -= 1
            if turnsLeft == 0 { finish() }
            return turnsLeft > 0
        }

        func nextWait() -> LoopWait {
            asked()
            if waitsItself { return .byDriver }
            let descriptors = pipe.map { [pollfd(fd: $0.read, events: Int16(POLLIN), revents: 0)] }
            return .descriptors(descriptors ?? [], deadline: deadline)
        }

        func wait(for wakeUp: Int32, mayBlock: Bool) -> Bool {
            processed()
            var polled = pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)
            poll(&polled, 1, mayBlock ? -1 : 0)
            return polled.revents != 0
        }

        func finish() {
            if let pipe {
                close(pipe.read)
                close(pipe.write)
            }
            pipe = nil
            deadline = .max
            waitsItself = false
            processed()
        }
    }

    /// The recorded numbers, in order.
    private final class Notes: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func note(_ number: Int) { numbers.withLock { $0.append(number) } }
    }

    private func makeLoop(ended: @escaping @Sendable () -> Void = {}) throws -> EventLoop<Driver> {
        try EventLoop.start(name: "event-loop") { Driver(ended: ended) }
    }

    func testPost_runsActionsInOrderOnTheThread() throws {
        let loop = try makeLoop()
        let notes = Notes()

        for number in 0..<1_000 {
            loop.post { _ in notes.note(loop.isCurrent ? number : -1) }
        }
        loop.stopAndWait()

        XCTAssertEqual(notes.all, Array(0..<1_000))
        XCTAssertFalse(loop.isCurrent)
    }

    func testStop_endsTheDriverOnTheThread_andRunsNothingAfterwards() throws {
        let notes = Notes()
        let cell = Mutex<EventLoop<Driver>?>(nil)
        let loop = try EventLoop.start(name: "event-loop") {
            Driver { notes.note(cell.withLock { $0?.isCurrent } == true ? 1 : -1) }
        }
        cell.withLock { $0 = loop }

        loop.stopAndWait()
        loop.post { _ in notes.note(2) }
        loop.stopAndWait()

        XCTAssertEqual(notes.all, [1])
        cell.withLock { $0 = nil }
    }

    func testDescriptor_thatIsReady_isProcessed() throws {
        let loop = try makeLoop()
        let processed = Semaphore()
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(pipe(&ends), 0)
        XCTAssertEqual(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0)
        let pipe = (read: ends[0], write: ends[1])
        loop.post { driver in
            driver.pipe = pipe
            driver.processed = { processed.signal() }
        }
        // The driver is not idle: the thread waits for the pipe.
        loop.stop()

        XCTAssertEqual(withUnsafeBytes(of: UInt8(1)) { write(pipe.write, $0.baseAddress, 1) }, 1)
        processed.wait()
    }

    func testDeadline_thatIsSetByAnAction_isMet() throws {
        let loop = try makeLoop()
        let processed = Semaphore()
        let deadline = SystemTime.monotonicDeadline(inSeconds: 0.02)

        loop.post { driver in
            driver.deadline = deadline
            driver.processed = { processed.signal() }
        }
        processed.wait()

        XCTAssertGreaterThanOrEqual(SystemTime.monotonicMicroseconds(), deadline)
        loop.stopAndWait()
    }

    func testBusyDriver_isProcessedAgain_andBlocksNoAction() throws {
        let loop = try makeLoop()
        let notes = Notes()

        loop.post { driver in
            driver.turnsLeft = 100
            driver.processed = { notes.note(2) }
            loop.post { driver in notes.note(driver.turnsLeft == 99 ? 1 : -1) }
        }
        loop.stopAndWait()

        XCTAssertEqual(notes.all, [1, 2])
    }

    /// The driver finds its last connection broken in nextWait, and becomes idle there.
    func testDriver_thatBecomesIdleLate_endsAStoppingLoop() throws {
        let loop = try makeLoop()
        let notes = Notes()

        loop.post { driver in
            driver.deadline = .max - 1
            driver.asked = { [unowned driver] in
                driver.asked = {}
                driver.finish()
                loop.post { _ in notes.note(1) }
            }
        }
        loop.stopAndWait()

        XCTAssertEqual(notes.all, [1])
    }

    func testDriver_thatWaitsItself_isWokenByAnAction() throws {
        let loop = try makeLoop()
        let waiting = Semaphore()
        let notes = Notes()
        loop.post { driver in
            driver.waitsItself = true
            driver.processed = { waiting.signal() }
        }
        waiting.wait()

        loop.post { driver in
            driver.processed = {}
            driver.finish()
            notes.note(1)
        }
        loop.stopAndWait()

        XCTAssertEqual(notes.all, [1])
    }
}
