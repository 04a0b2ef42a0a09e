import Glibc
import Synchronization
import XCTest

@testable import Platform

final class PooledLoopTests: XCTestCase {
    /// A driver with descriptors and a deadline, which does what a test gives it.
    private final class Driver: LoopDriver {
        var descriptors: [pollfd] = []
        var deadline = UInt64.max
        var isIdle = true
        var isBusy = false
        var ready: (ArraySlice<pollfd>) -> Void = { _ in }
        var turn: (Driver) -> Void = { _ in }
        private let ended: @Sendable () -> Void

        init(ended: @escaping @Sendable () -> Void) { self.ended = ended }

        deinit { ended() }

        func process() -> Bool {
            turn(self)
            return isBusy
        }

        func nextWait() -> LoopWait { .descriptors(descriptors, deadline: deadline) }

        func noteReady(_ descriptors: ArraySlice<pollfd>) { ready(descriptors) }
    }

    private typealias Loop = PooledLoop<Driver>

    private let poller = DescriptorPoller()

    private func makePool(count: Int = 3) -> TaskPool {
        TaskPool(name: "pool", count: count, serving: poller)
    }

    private func makeLoop(ended: @escaping @Sendable () -> Void = {}) throws -> Loop {
        let loop = try XCTUnwrap(try PooledLoop.start(on: poller) { Driver(ended: ended) })
        addTeardownBlock { [weak loop] in loop?.stop() }
        return loop
    }

    private func makePipe() -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(pipe(&ends), 0)
        XCTAssertEqual(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0)
        return (ends[0], ends[1])
    }

    private static func write(to descriptor: Int32) {
        var byte: UInt8 = 1
        XCTAssertEqual(Glibc.write(descriptor, &byte, 1), 1)
    }

    private static func entry(_ descriptor: Int32, _ events: Int32 = POLLIN) -> pollfd {
        pollfd(fd: descriptor, events: Int16(events), revents: 0)
    }

    func testWithoutAPool_thereIsNoLoop() throws {
        XCTAssertNil(try PooledLoop.start(on: poller) { Driver(ended: {}) })
    }

    func testActionsOfSeveralThreads_runOneAtATime_eachThreadsInOrder() throws {
        let pool = makePool()
        let loop = try makeLoop()
        let notes = Mutex<[(thread: Int, number: Int)]>([])
        let running = Atomic(0)
        let done = Semaphore()
        for thread in 0..<4 {
            SystemThread.start(name: "poster") {
                for number in 0..<2_000 {
                    loop.post { _ in
                        let others = running.add(1, ordering: .sequentiallyConsistent).oldValue
                        let isRight = others == 0 && loop.isCurrent
                        notes.withLock { $0.append((thread, isRight ? number : -1)) }
                        running.subtract(1, ordering: .sequentiallyConsistent)
                        if number == 1_999 { done.signal() }
                    }
                }
            }
        }
        for _ in 0..<4 { done.wait() }
        let all = notes.withLock { $0 }
        for thread in 0..<4 {
            XCTAssertEqual(all.filter { $0.thread == thread }.map(\.number), Array(0..<2_000))
        }
        XCTAssertFalse(loop.isCurrent)
        withExtendedLifetime(pool) {}
    }

    func testWhatArrives_andTheWorkThatItGivesToThePool_areOfOneThread() throws {
        let pool = makePool()
        let loop = try makeLoop()
        let pipe = makePipe()
        let threads = Mutex<[UInt]>([])
        let done = Semaphore()
        loop.post { driver in
            driver.descriptors = [Self.entry(pipe.read)]
            driver.ready = { _ in
                var byte: UInt8 = 0
                guard read(pipe.read, &byte, 1) == 1 else { return }
                threads.withLock { $0.append(UInt(pthread_self())) }
                pool.threads.async {
                    threads.withLock { $0.append(UInt(pthread_self())) }
                    done.signal()
                }
            }
        }
        for _ in 0..<20 {
            Self.write(to: pipe.write)
            done.wait()
        }
        let all = threads.withLock { $0 }
        // On a busy machine, another thread of the pool may be faster now and then.
        let others = stride(from: 0, to: 40, by: 2).filter { all[$0] != all[$0 + 1] }
        XCTAssertLessThanOrEqual(others.count, 5)
        close(pipe.read)
        close(pipe.write)
    }

    func testDeadline_isMet_alsoWhenItHasPassed() throws {
        let pool = makePool()
        let loop = try makeLoop()
        let met = Semaphore()
        for seconds in [0.05, 0, 0.01] {
            let deadline = SystemTime.monotonicDeadline(inSeconds: seconds)
            loop.post { driver in
                driver.deadline = deadline
                driver.turn = { driver in
                    guard driver.deadline <= SystemTime.monotonicMicroseconds() else { return }
                    driver.deadline = .max
                    met.signal()
                }
            }
            met.wait()
            XCTAssertGreaterThanOrEqual(SystemTime.monotonicMicroseconds(), deadline)
        }
        withExtendedLifetime(pool) {}
    }

    func testDescriptorWithTheNumberOfOneThatWasClosed_isWatched() throws {
        let pool = makePool()
        let loop = try makeLoop()
        let first = makePipe()
        let second = makePipe()
        let ready = Semaphore()
        loop.post { driver in
            driver.descriptors = [Self.entry(first.read)]
            driver.ready = { _ in
                var byte: UInt8 = 0
                if read(first.read, &byte, 1) == 1 { ready.signal() }
            }
        }
        Self.write(to: first.write)
        ready.wait()
        // The same number, but another file, as after a connection that is closed and made again.
        loop.post { _ in XCTAssertEqual(dup2(second.read, first.read), first.read) }
        Self.write(to: second.write)
        ready.wait()
        withExtendedLifetime(pool) {}
        for descriptor in [first.read, first.write, second.read, second.write] { close(descriptor) }
    }

    func testDescriptorThatWasClosed_andOfWhichAnotherHasADuplicate_isReportedOnceAtMost() throws {
        let waits = try DriverWaits()
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(socketpair(AF_LOCAL, Int32(SOCK_STREAM.rawValue), 0, &ends), 0)
        let duplicate = dup(ends[0])
        XCTAssertFalse(waits.update([Self.entry(ends[0])], deadline: .max))
        close(ends[0])
        XCTAssertFalse(waits.update([], deadline: .max))
        close(ends[1])
        _ = waits.ready()
        _ = waits.update([], deadline: .max)
        var polled = Self.entry(waits.descriptor)
        XCTAssertEqual(poll(&polled, 1, 0), 0)
        close(duplicate)
    }

    func testOtherEvents_areWatched() throws {
        let pool = makePool()
        let loop = try makeLoop()
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(socketpair(AF_LOCAL, Int32(SOCK_STREAM.rawValue), 0, &ends), 0)
        let socket = ends[0]
        let ready = Semaphore()
        loop.post { driver in
            driver.descriptors = [Self.entry(socket)]
            driver.ready = { entries in
                guard entries.first?.revents == Int16(POLLOUT) else { return }
                driver.descriptors = [Self.entry(socket)]
                ready.signal()
            }
        }
        loop.post { $0.descriptors = [Self.entry(socket, POLLIN | POLLOUT)] }
        ready.wait()
        withExtendedLifetime(pool) {}
        for end in ends { close(end) }
    }

    func testBusyDriver_worksUntilItIsDone_andBlocksNoAction() throws {
        let pool = makePool(count: 1)
        let loop = try makeLoop()
        let turns = Atomic(0)
        let done = Semaphore()
        loop.post { driver in
            driver.isBusy = true
            driver.turn = { driver in
                guard turns.add(1, ordering: .relaxed).newValue == 1_000 else { return }
                driver.isBusy = false
                done.signal()
            }
            loop.post { _ in XCTAssertLessThan(turns.load(ordering: .relaxed), 1_000) }
        }
        done.wait()
        withExtendedLifetime(pool) {}
    }

    func testStop_endsTheLoop_whenTheDriverIsIdle() throws {
        let pool = makePool()
        let ended = Semaphore()
        let pipe = makePipe()
        do {
            let loop = try makeLoop { ended.signal() }
            loop.post { driver in
                driver.isIdle = false
                driver.descriptors = [Self.entry(pipe.read)]
                driver.ready = { _ in
                    driver.descriptors = []
                    driver.isIdle = true
                    driver.ready = { _ in }
                }
            }
            loop.stop()
            let stillRuns = Semaphore()
            loop.post { driver in
                XCTAssertFalse(driver.isIdle)
                stillRuns.signal()
            }
            stillRuns.wait()
        }
        Self.write(to: pipe.write)
        ended.wait()
        withExtendedLifetime(pool) {}
        close(pipe.read)
        close(pipe.write)
    }

    func testAfterTheEndOfThePool_actionsAndDescriptorsAreStillServed() throws {
        var pool: TaskPool? = makePool()
        let loop = try makeLoop()
        let pipe = makePipe()
        let ready = Semaphore()
        loop.post { driver in
            driver.descriptors = [Self.entry(pipe.read)]
            driver.ready = { _ in
                var byte: UInt8 = 0
                if read(pipe.read, &byte, 1) == 1 { ready.signal() }
            }
        }
        pool = nil
        XCTAssertNil(pool)
        for _ in 0..<50 {
            Self.write(to: pipe.write)
            ready.wait()
            loop.post { _ in ready.signal() }
            ready.wait()
        }
        loop.stop()
        close(pipe.read)
        close(pipe.write)
    }
}
