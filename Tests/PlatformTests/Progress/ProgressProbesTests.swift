import GatewayTesting
import Synchronization
import XCTest

@testable import Platform

/// Tests of the table of probes and of the thread that asks.
final class ProgressProbesTests: XCTestCase {
    /// A loop that answers when the test lets it.
    private final class Loop: Sendable {
        let answers = Mutex<[@Sendable () -> Void]>([])

        func ask(_ answer: @escaping @Sendable () -> Void) {
            answers.withLock { $0.append(answer) }
        }

        func answerAll() {
            for answer in answers.withLock({ Array($0) }) { answer() }
        }
    }

    func testPending_namesThoseThatHaveNotAnswered_causesFirst() {
        let probes = ProgressProbes()
        let loop = Loop()
        let added = [
            probes.add(.source("foot"), ask: loop.ask), probes.add(.journal, ask: loop.ask),
            probes.add(.source("foot"), ask: loop.ask), probes.add(.pipeline) { $0() },
            probes.add(.source("chest"), ask: loop.ask),
        ]
        XCTAssertEqual(probes.pending, [])
        probes.ask()
        XCTAssertEqual(probes.pending, [.journal, .source("chest"), .source("foot")])
        loop.answerAll()
        XCTAssertEqual(probes.pending, [])
        withExtendedLifetime(added) {}
    }

    func testALoopThatHasNotAnswered_isNotAskedAgain() {
        let probes = ProgressProbes()
        let loop = Loop()
        let probe = probes.add(.journal, ask: loop.ask)
        for _ in 0..<3 { probes.ask() }
        XCTAssertEqual(loop.answers.withLock { $0.count }, 1)
        withExtendedLifetime(probe) {}
    }

    func testALoopThatHasEnded_needsNoAnswer() {
        let probes = ProgressProbes()
        let loop = Loop()
        var probe: ProgressProbe? = probes.add(.source("foot"), ask: loop.ask)
        let ends = Atomic(0)
        probes.observe { ends.add(1, ordering: .relaxed) }
        probes.ask()
        XCTAssertNotNil(probe)
        probe = nil
        XCTAssertEqual(probes.pending, [])
        XCTAssertEqual(ends.load(ordering: .relaxed), 1)
        loop.answerAll()
        XCTAssertEqual(ends.load(ordering: .relaxed), 1)
    }

    func testQuestions_areAnsweredBetweenTwoEvents_andAtOnceWhileTheLoopIsAway() async {
        let questions = ProgressQuestions()
        let count = Atomic(0)
        let answer: @Sendable () -> Void = { count.add(1, ordering: .relaxed) }
        questions.add(answer)
        XCTAssertEqual(count.load(ordering: .relaxed), 0)
        questions.answerAll()
        XCTAssertEqual(count.load(ordering: .relaxed), 1)
        questions.add(answer)
        await questions.away {
            XCTAssertEqual(count.load(ordering: .relaxed), 2)
            questions.add(answer)
            XCTAssertEqual(count.load(ordering: .relaxed), 3)
        }
        questions.add(answer)
        XCTAssertEqual(count.load(ordering: .relaxed), 3)
        questions.leave()
        questions.add(answer)
        XCTAssertEqual(count.load(ordering: .relaxed), 5)
    }

    func testWatchdog_reportsProgress_thenTheHang_thenTheRecovery() async throws {
        let probes = ProgressProbes()
        let loop = Loop()
        let isHung = Atomic(false)
        let (events, signal) = AsyncStream.makeStream(of: ProgressWatchdog.Event.self)
        let probe = probes.add(.source("foot")) { answer in
            isHung.load(ordering: .relaxed) ? loop.ask(answer) : answer()
        }
        let watchdog = ProgressWatchdog(probes, intervalMicroseconds: 400_000) { signal.yield($0) }
        var next = events.makeAsyncIterator()
        for _ in 0..<3 {
            let event = await next.next()
            XCTAssertEqual(event, .progress)
        }
        isHung.store(true, ordering: .relaxed)
        var event = await next.next()
        while event == .progress { event = await next.next() }
        XCTAssertEqual(event, .hung([.source("foot")], seconds: 3))
        isHung.store(false, ordering: .relaxed)
        loop.answerAll()
        event = await next.next()
        XCTAssertEqual(event, .recovered)
        event = await next.next()
        XCTAssertEqual(event, .progress)
        withExtendedLifetime((watchdog, probe)) {}
    }
}
