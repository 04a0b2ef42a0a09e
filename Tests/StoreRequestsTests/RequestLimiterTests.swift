import GatewayCore
import Synchronization
import XCTest

@testable import StoreRequests

/// Tests the limit of requests that are worked on at the same time.
final class RequestLimiterTests: XCTestCase {
    private final class Order: Sendable {
        private let state = Mutex<[Int]>([])
        var numbers: [Int] { state.withLock { $0 } }
        func add(_ number: Int) { state.withLock { $0.append(number) } }
    }

    /// Some wait for their turn, in order, and further ones get an error.
    func testRequests_waitForTheirTurn() async throws {
        let limiter = RequestLimiter(1, waiting: 2)
        let order = Order()
        let (gates, gate) = AsyncStream.makeStream(of: Void.self)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await limiter.run(AnswerLine()) {
                started.yield()
                for await _ in gates { break }
                order.add(1)
            }
        }
        var start = starts.makeAsyncIterator()
        await start.next()
        var waiting: [Task<Void, any Error>] = []
        for number in [2, 3] {
            waiting.append(
                Task {
                    try await limiter.run(AnswerLine()) { order.add(number) }
                })
            while limiter.waitingCount < number - 1 { await Task.yield() }
        }
        let refused = AnswerLine()
        try await limiter.run(refused) { XCTFail("it has no place") }
        XCTAssertEqual(
            refused.text,
            #"{"error":"3 such requests are in progress; try again when one is answered","#
                + #""code":"busy"}"# + "\n")
        gate.yield()
        try await first.value
        for task in waiting { try await task.value }
        XCTAssertEqual(order.numbers, [1, 2, 3])
        let later = AnswerLine()
        try await limiter.run(later) { order.add(4) }
        XCTAssertEqual(later.text, "")
    }

    /// A request that fails gives its turn back.
    func testFailure_givesTheTurnBack() async throws {
        let limiter = RequestLimiter(1)
        for _ in 0..<3 {
            do {
                try await limiter.run(AnswerLine()) { throw CancellationError() }
                XCTFail("no error")
            } catch is CancellationError {}
        }
    }
}
