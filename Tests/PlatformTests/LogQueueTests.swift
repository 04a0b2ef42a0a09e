import GatewayCore
import Synchronization
import XCTest

@testable import Platform

final class LogQueueTests: XCTestCase {
    private let clock = SystemClock()

    func testAppend_writesEveryLineInOrder() async {
        let written = Mutex<[String]>([])
        let queue = LogQueue { line in written.withLock { $0.append(line) } }
        let lines = (0..<500).map { "\($0)\n" }
        for line in lines { queue.append(line) }
        await queue.drain(seconds: 10, clock: clock)
        XCTAssertEqual(written.withLock { $0 }, lines)
    }

    func testAppend_whenTheReaderIsBlocked_neverWaits_andCountsDroppedLines() async {
        let (reads, read) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let written = Mutex<[String]>([])
        let queue = LogQueue { line in
            read.yield()
            gate.wait()
            written.withLock { $0.append(line) }
        }
        queue.append("first\n")
        for await _ in reads { break }
        for index in 0..<(LogQueue.limit + 7) { queue.append("\(index)\n") }
        await queue.drain(seconds: 0.01, clock: clock)
        XCTAssertEqual(written.withLock { $0 }, [])
        for _ in 0..<(LogQueue.limit + 2) { gate.signal() }
        await queue.drain(seconds: 10, clock: clock)
        let lines = written.withLock { $0 }
        XCTAssertEqual(lines.count, LogQueue.limit + 2)
        XCTAssertEqual(lines.last, "log: lines dropped count=7\n")
    }
}
