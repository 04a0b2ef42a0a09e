import Glibc
import Synchronization
import XCTest

@testable import GatewayTesting
@testable import Platform

final class WorkerThreadsTests: XCTestCase {
    func testAsync_onOneThread_runsInOrder() async {
        let threads = WorkerThreads(name: "one", count: 1)
        let done = Mutex<[Int]>([])
        for number in 0..<1_000 {
            threads.async { done.withLock { $0.append(number) } }
        }
        await untilIdle(threads)

        XCTAssertEqual(done.withLock { $0 }, Array(0..<1_000))
    }

    func testAsync_onSeveralThreads_runsWorkWhileOtherWorkBlocks() async {
        let threads = WorkerThreads(name: "two", count: 2)
        let gate = Semaphore()
        let (blocked, isBlocked) = AsyncStream.makeStream(of: Void.self)
        threads.async {
            isBlocked.finish()
            gate.wait()
        }
        for await _ in blocked {}

        await untilIdle(threads)

        gate.signal()
    }

    func testAddThread_runsWorkThatWaitsBehindABlockedThread_untilItIsRemoved() async {
        let threads = WorkerThreads(name: "grow", count: 1)
        let gate = Semaphore()
        let ran = Semaphore()
        let (places, place) = AsyncStream.makeStream(of: Bool.self)
        threads.async { [weak threads] in
            threads?.async { ran.signal() }
            place.yield(true)
            gate.wait()
        }
        for await _ in places.prefix(1) {}
        threads.addThread()
        ran.wait()
        gate.signal()
        threads.removeThread()
        // The remaining thread still does everything.
        for _ in 0..<100 { await untilIdle(threads) }
    }

    func testAsync_fromOneOfTheThreads_singleWorkRunsThere() async {
        let threads = WorkerThreads(name: "own", count: 4)
        let (places, place) = AsyncStream.makeStream(of: pthread_t.self)
        @Sendable func goOn(_ count: Int) {
            place.yield(pthread_self())
            if count == 0 { place.finish() } else { threads.async { goOn(count - 1) } }
        }
        threads.async { goOn(100) }

        var all: [pthread_t] = []
        for await thread in places { all.append(thread) }

        XCTAssertEqual(all.count, 101)
        // A thread that is just starting may take the work once.
        XCTAssertLessThanOrEqual(zip(all, all.dropFirst()).count { $0 != $1 }, 3)
    }

    func testAsync_fromOneOfTheThreads_moreWorkIsDistributed() async {
        let threads = WorkerThreads(name: "shared", count: 2)
        let gate = Semaphore()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        threads.async {
            threads.async { end.yield() }
            threads.async { end.finish() }
            // This thread does nothing else until the other one has done both.
            gate.wait()
        }

        var count = 0
        for await _ in ends { count += 1 }

        gate.signal()
        XCTAssertEqual(count, 1)
    }

    func testAsync_fromManyThreads_runsEverythingOnce() async {
        let threads = WorkerThreads(name: "many", count: 3)
        let senders = WorkerThreads(name: "senders", count: 4)
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        for sender in 0..<4 {
            senders.async {
                for number in 0..<1_000 {
                    threads.async { end.yield(sender * 1_000 + number) }
                }
            }
        }
        var done: [Int] = []
        for await number in ends {
            done.append(number)
            if done.count == 4_000 { break }
        }

        XCTAssertEqual(done.sorted(), Array(0..<4_000))
    }

    func testIsCurrent_onlyOnItsOwnThreads() async {
        let threads = WorkerThreads(name: "current", count: 1)
        let other = WorkerThreads(name: "other", count: 1)
        let answers = Mutex<[Bool]>([])
        threads.async { answers.withLock { $0.append(threads.isCurrent) } }
        await untilIdle(threads)
        other.async { answers.withLock { $0.append(threads.isCurrent) } }
        await untilIdle(other)

        XCTAssertEqual(answers.withLock { $0 }, [true, false])
        XCTAssertFalse(threads.isCurrent)
    }

    func testEnd_afterTheRemainingWork_endsTheThreads() async throws {
        let name = "end \(UInt32.random(in: 0..<1_000_000))"
        let done = Mutex(0)
        var threads: WorkerThreads? = WorkerThreads(name: name, count: 2)
        let names = try await ThreadNames.wait { $0.count { $0 == name } == 2 }
        XCTAssertEqual(names.count { $0 == name }, 2)
        for _ in 0..<100 { threads?.async { done.withLock { $0 += 1 } } }

        threads = nil

        _ = try await ThreadNames.wait { !$0.contains(name) }
        XCTAssertEqual(done.withLock { $0 }, 100)
    }

    func testEnd_onItsOwnThread_endsIt() async throws {
        let name = "self \(UInt32.random(in: 0..<1_000_000))"
        let kept = Mutex<WorkerThreads?>(WorkerThreads(name: name, count: 1))
        let (gone, signal) = AsyncStream.makeStream(of: Void.self)
        // The thread itself releases the last reference.
        kept.withLock { $0 }?.async {
            kept.withLock { $0 = nil }
            signal.finish()
        }

        for await _ in gone {}
        _ = try await ThreadNames.wait { !$0.contains(name) }

        XCTAssertTrue(kept.withLock { $0 == nil })
    }

    private func untilIdle(_ threads: WorkerThreads) async {
        let (end, signal) = AsyncStream.makeStream(of: Void.self)
        threads.async { signal.finish() }
        for await _ in end {}
    }
}
