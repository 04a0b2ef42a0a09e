import Platform
import XCTest

@testable import GatewayJournal

/// Tests of which records are committed at once.
final class CommitPaceTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 5_000_000_000)

    /// The moments at which a record is committed at once, of records at these times in seconds.
    private func atOnce(_ times: [Double], waitsForDisk: Bool) -> [Double] {
        var pace = CommitPace(waitsForDisk: waitsForDisk, at: start)
        return times.filter { time in
            let now = start.adding(seconds: time)
            guard pace.isQuiet(at: now) else { return false }
            pace.noteCommit(at: now)
            return true
        }
    }

    func testBurst_ofAFileThatDoesNotWait_isCommittedAtOnce_upToALimit() {
        let times = [1, 1.001, 1.002, 1.003, 1.004, 1.005]
        XCTAssertEqual(atOnce(times, waitsForDisk: false), [1, 1.001, 1.002, 1.003])
        XCTAssertEqual(atOnce(times, waitsForDisk: true), [1])
    }

    func testBurst_everySecond_isCommittedAtOnce() {
        let times = (1..<100).flatMap { second in
            (0..<4).map { Double(second) + Double($0) / 1_000 }
        }
        XCTAssertEqual(atOnce(times, waitsForDisk: false), times)
    }

    func testSteady_twentyASecond_isCommittedAtOnce_andNotMore() {
        for waitsForDisk in [false, true] {
            let slow = (1...200).map { Double($0) * 0.0501 }
            XCTAssertEqual(atOnce(slow, waitsForDisk: waitsForDisk), slow)
            let fast = (1...1_000).map { Double($0) * 0.01 }
            let count = atOnce(fast, waitsForDisk: waitsForDisk).count
            XCTAssertTrue((199...204).contains(count), "\(count)")
        }
    }

    /// Many commits of full groups are paid off in the time of a burst.
    func testCommits_ofAnyNumber_areForgotten() {
        var pace = CommitPace(waitsForDisk: false, at: start)
        for _ in 0..<1_000 { pace.noteCommit(at: start) }
        XCTAssertFalse(pace.isQuiet(at: start))
        XCTAssertTrue(pace.isQuiet(at: start.adding(seconds: CommitPace.quietSeconds)))
        for _ in 0..<1_000 { pace.noteCommit(at: start) }
        let later = start.adding(seconds: CommitPace.quietSeconds * Double(CommitPace.cheapBurst))
        XCTAssertEqual(
            (0..<10).count { _ in
                defer { pace.noteCommit(at: later) }
                return pace.isQuiet(at: later)
            }, CommitPace.cheapBurst)
    }
}
