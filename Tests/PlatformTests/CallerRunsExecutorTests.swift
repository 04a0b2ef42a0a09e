import Glibc
import Synchronization
import XCTest

@testable import GatewayTesting
@testable import Platform

final class CallerRunsExecutorTests: XCTestCase {
    private actor Log {
        private let executor = CallerRunsExecutor(label: "log")
        private(set) var entries: [Int] = []
        private var isBusy = false

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        var threadName: String { ThreadNames.current }

        func append(_ entry: Int) {
            assertIsolated()
            XCTAssertFalse(isBusy, "two threads are in the actor")
            isBusy = true
            entries.append(entry)
            isBusy = false
        }

        /// Appends without a task.
        nonisolated func appendSoon(_ entry: Int) {
            executor.async { self.assumeIsolated { $0.append(entry) } }
        }
    }

    private func lendingPool(_ count: Int) -> TaskPool {
        TaskPool(name: "pool of it", count: count, serving: DescriptorPoller())
    }

    func testActor_calledFromManyPools_runsOneJobAtATime() async {
        let log = Log()
        let (own, other) = (lendingPool(3), TaskPool(name: "other", count: 3))
        await withTaskGroup(of: Void.self) { group in
            for entry in 0..<3_000 {
                group.addTask(executorPreference: entry % 2 == 0 ? own : other) {
                    await log.append(entry)
                }
            }
        }
        let entries = await log.entries
        XCTAssertEqual(entries.sorted(), Array(0..<3_000))
    }

    func testActor_calledFromItsPool_runsOnAThreadOfThePool() async {
        let log = Log()
        let pool = lendingPool(1)
        let name = await Task(executorPreference: pool) { await log.threadName }.value
        XCTAssertEqual(name, "pool of it")
    }

    func testActor_calledFromAPoolThatMustNotBlock_runsOnItsOwnThread() async {
        let log = Log()
        let name = await Task(executorPreference: TaskPool(name: "other", count: 1)) {
            await log.threadName
        }.value
        XCTAssertEqual(name, "log")
    }

    /// Work keeps its order on the way from a thread of the pool to the own one.
    func testAsync_moreThanAThreadDoesAtATime_isDoneInOrder() async {
        let log = Log()
        let pool = lendingPool(1)
        await Task(executorPreference: pool) {
            for entry in 0..<1_000 { log.appendSoon(entry) }
        }.value
        var entries: [Int] = []
        while entries.count < 1_000 { entries = await log.entries }
        XCTAssertEqual(entries, Array(0..<1_000))
    }

    /// A thread of the pool that blocks in the actor keeps no other one from its work.
    func testAsync_whileAThreadOfThePoolIsInTheActor_thePoolWorksOn() async {
        let executor = CallerRunsExecutor(label: "slow")
        let pool = lendingPool(2)
        let gate = Semaphore()
        let (entered, hasEntered) = AsyncStream.makeStream(of: Void.self)
        await Task(executorPreference: pool) {
            executor.async {
                hasEntered.finish()
                gate.wait()
            }
        }.value
        for await _ in entered {}
        for _ in 0..<100 { await Task(executorPreference: pool) { await Task.yield() }.value }
        gate.signal()
    }
}
