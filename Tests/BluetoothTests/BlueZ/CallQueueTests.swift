import GatewayCore
import Platform
import XCTest

@testable import Bluetooth

final class CallQueueTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 0)

    private func call(_ seconds: Double = 5) -> BlueZCall {
        BlueZCall(path: "/", interface: "a.b", member: "C", timeoutSeconds: seconds)
    }

    func testCalls_areSentInOrder_andOnlySoManyAtATime() {
        var queue = CallQueue<Int>()
        for number in 0..<200 { queue.add(number, call(), at: start) }
        var sent: [Int] = []
        func send() {
            while let entry = queue.next() {
                queue.noteSent()
                sent.append(entry.request)
            }
        }

        send()
        XCTAssertEqual(sent.count, 64)
        XCTAssertFalse(queue.canSend)
        while sent.count < 200 {
            queue.noteAnswered()
            send()
        }
        XCTAssertEqual(sent, Array(0..<200))
        XCTAssertNil(queue.wakeTime)
    }

    func testTimeout_includesTheTimeInTheQueue() {
        var queue = CallQueue<Int>()
        for _ in 0..<64 { queue.noteSent() }
        queue.add(1, call(5), at: start)
        queue.add(2, call(2), at: start)
        queue.add(3, call(2), at: start.adding(seconds: 1))

        XCTAssertEqual(queue.wakeTime, start.adding(seconds: 2))
        XCTAssertEqual(queue.removeExpired(at: start.adding(seconds: 1.9)), [])
        XCTAssertEqual(queue.removeExpired(at: start.adding(seconds: 2)), [2])
        XCTAssertEqual(queue.removeExpired(at: start.adding(seconds: 9)), [1, 3])
        XCTAssertNil(queue.wakeTime)
        queue.noteAnswered()
        XCTAssertNil(queue.next())
    }

    func testRemoveAll_forgetsOnlyWhatWasNotSent() {
        var queue = CallQueue<Int>()
        for _ in 0..<64 { queue.noteSent() }
        queue.add(1, call(), at: start)

        queue.removeAll()

        XCTAssertFalse(queue.canSend)
        queue.noteAnswered()
        XCTAssertNil(queue.next())
        XCTAssertEqual(queue.unansweredCount, 63)
    }
}
