import Glibc
import Synchronization
import XCTest

@testable import GatewayTesting
@testable import Platform

/// Tests of a pool whose idle threads wait for descriptors.
final class ServingPoolTests: XCTestCase {
    private struct NotOpen: Error {}

    /// A pipe that becomes readable when it is signalled.
    private final class Event: WatchedDescriptor {
        let number: Int32
        let notOpen = NotOpen()
        private let writer: Int32

        init() {
            var ends: [Int32] = [-1, -1]
            XCTAssertEqual(pipe(&ends), 0)
            (number, writer) = (ends[0], ends[1])
        }

        deinit {
            Glibc.close(number)
            Glibc.close(writer)
        }

        func failure(of operation: String, code: Int32) -> NotOpen { NotOpen() }

        func signal() { XCTAssertEqual(write(writer, "x", 1), 1) }

        func clear() {
            var byte: UInt8 = 0
            XCTAssertEqual(read(number, &byte, 1), 1)
        }
    }

    /// What was noted on any thread.
    private final class Notes: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private let label = "serve \(UInt32.random(in: 0..<1_000_000))"

    /// Answers every signal of an event until `count` are answered.
    private static func answer(
        _ count: Int, to watch: DescriptorWatch, of event: Event,
        _ note: @escaping @Sendable () -> Void
    ) async throws {
        for _ in 0..<count {
            try await watch.wait()
            event.clear()
            note()
        }
    }

    func testWait_onAThreadOfThePool_continuesOnIt() async throws {
        let poller = DescriptorPoller()
        let pool = TaskPool(name: label, count: 2, serving: poller)
        let event = Event()
        let watch = try poller.watch(event, .readable)
        let names = Notes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: pool) {
                try await Self.answer(100, to: watch, of: event) {
                    names.add(ThreadNames.current)
                    event.signal()
                }
            }
            event.signal()
            try await group.waitForAll()
        }
        XCTAssertEqual(names.all, Array(repeating: label, count: 100))
    }

    func testWait_whileAThreadOfThePoolBlocks_isServedByAnother() async throws {
        let poller = DescriptorPoller()
        let pool = TaskPool(name: label, count: 2, serving: poller)
        let gate = Semaphore()
        let (entered, hasEntered) = AsyncStream.makeStream(of: Void.self)
        pool.threads.async {
            hasEntered.finish()
            gate.wait()
        }
        for await _ in entered {}
        let events = (0..<10).map { _ in Event() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for event in events {
                let watch = try poller.watch(event, .readable)
                group.addTask(executorPreference: pool) {
                    try await Self.answer(20, to: watch, of: event) { event.signal() }
                }
                event.signal()
            }
            try await group.waitForAll()
        }
        gate.signal()
    }

    /// Signals for work and events of descriptors come at the same time; none is lost.
    func testAsync_besideEvents_runsEverything() async throws {
        let poller = DescriptorPoller()
        let pool = TaskPool(name: label, count: 3, serving: poller)
        let done = Notes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let event = Event()
                let watch = try poller.watch(event, .readable)
                group.addTask(executorPreference: pool) {
                    try await Self.answer(500, to: watch, of: event) { event.signal() }
                }
                event.signal()
                group.addTask {
                    for _ in 0..<500 {
                        await Task(executorPreference: pool) { done.add("") }.value
                    }
                }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(done.all.count, 2_000)
    }

    /// One of the pieces that a thread leaves to itself never returns.
    func testAsync_behindAPieceThatBlocks_isRunByAnotherThread() async {
        let pool = TaskPool(name: label, count: 4, serving: DescriptorPoller())
        let gate = Semaphore()
        for _ in 0..<3 {
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            pool.threads.async {
                pool.threads.async { gate.wait() }
                pool.threads.async { end.finish() }
            }
            for await _ in ends {}
        }
        for _ in 0..<3 { gate.signal() }
    }

    func testAsync_ofAFewPieces_runsThemOnTheThreadThatAddsThem() async {
        let pool = TaskPool(name: label, count: 4, serving: DescriptorPoller())
        let (places, place) = AsyncStream.makeStream(of: [pthread_t].self)
        @Sendable func repeated(_ count: Int) {
            let first = pthread_self()
            pool.threads.async { place.yield([first, pthread_self()]) }
            pool.threads.async {
                place.yield([first, pthread_self()])
                if count == 0 {
                    place.finish()
                } else {
                    Task(executorPreference: pool) { repeated(count - 1) }
                }
            }
        }
        pool.threads.async { repeated(5) }
        var moves = 0
        for await pair in places where pthread_equal(pair[0], pair[1]) == 0 { moves += 1 }
        // A thread that is just starting may take the work once.
        XCTAssertLessThanOrEqual(moves, 3)
    }

    func testEnd_endsTheThreads_andThePollerGoesOnAlone() async throws {
        let poller = DescriptorPoller()
        let event = Event()
        let watch: DescriptorWatch
        do {
            var pool: TaskPool? = TaskPool(name: label, count: 3, serving: poller)
            _ = try await ThreadNames.wait { [label] in $0.count { $0 == label } == 3 }
            watch = try poller.watch(event, .readable)
            XCTAssertNotNil(pool)
            pool = nil
        }
        _ = try await ThreadNames.wait { [label] in !$0.contains(label) }
        event.signal()
        try await watch.wait()
    }

    func testPool_ofAPollerThatHasAThread_leavesItAlone() async throws {
        let poller = DescriptorPoller()
        let event = Event()
        let watch = try poller.watch(event, .readable)
        let pool = TaskPool(name: label, count: 1, serving: poller)
        event.signal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask(executorPreference: pool) {
                try await Self.answer(10, to: watch, of: event) { event.signal() }
            }
            try await group.waitForAll()
        }
    }
}
