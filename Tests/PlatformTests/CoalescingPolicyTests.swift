import XCTest

@testable import Platform

final class CoalescingPolicyTests: XCTestCase {
    private var pace = CoalescingPolicy(
        targetSize: 2_048, longestGapNanoseconds: 10_000_000, maximumPauseNanoseconds: 50_000_000)
    private var now = BootInstant(nanoseconds: 1_000_000_000)

    /// Reads bytes after a time; returns the pause that follows, in milliseconds.
    private func read(_ count: Int, after milliseconds: Double) -> Double? {
        now = now.adding(nanoseconds: Int64(milliseconds * 1e6))
        pace.note(count, at: now)
        return pace.pauseEnd.map { Double($0.nanoseconds(since: now)) / 1e6 }
    }

    func testSlowDevice_isNeverPaused() {
        for _ in 0..<100 { XCTAssertNil(read(10, after: 25)) }
    }

    func testTwoDevicesThatTakeTurns_arePausedAtAnyDistance_onlyWhereTwoPiecesAreExpected() {
        for (short, long) in [(1.0, 17.0), (9.0, 10.0)] {
            for round in 0...CoalescingPolicy.minimumRunLength {
                _ = read(10, after: round.isMultiple(of: 2) ? short : long)
            }
            XCTAssertNotNil(pace.pauseEnd, "\(short)")
            pace.noteNothing()
            _ = read(10, after: 1_000)
            pace.noteNothing()
        }
        for round in 0..<20 { XCTAssertNil(read(10, after: round.isMultiple(of: 2) ? 1 : 20)) }
    }

    func testPiecesOfOnePacket_areReadAsTheyCome() {
        for _ in 0..<20 {
            XCTAssertNil(read(16, after: 1_000))
            pace.noteNothing()
            for _ in 0..<4 {
                XCTAssertNil(read(16, after: 1))
                pace.noteNothing()
            }
        }
    }

    func testLineAfterLine_isPausedForAsLongAsMayBe_untilThereIsNone() {
        for _ in 0...CoalescingPolicy.minimumRunLength - 1 {
            XCTAssertNil(read(12, after: 1))
            pace.noteNothing()
        }
        XCTAssertEqual(read(12, after: 1), 50)
        for _ in 0..<10 { XCTAssertEqual(read(600, after: 50.1), 50) }
        pace.noteNothing()
        XCTAssertNil(pace.pauseEnd)
        XCTAssertNil(read(12, after: 30))
    }

    func testFlood_isPausedUntilAGoodPieceIsThere_orNotAtAll() {
        for _ in 0...CoalescingPolicy.minimumRunLength - 1 { _ = read(100, after: 0.1) }
        XCTAssertEqual(read(1_024, after: 1) ?? 0, 2, accuracy: 0.01)
        XCTAssertNil(read(4_096, after: 2))
        XCTAssertNil(read(2_048, after: 0.1))
    }

    func testReadsAtOneMoment_orOfAnyLength_doNotTrap() {
        for count in [1, Int.max] {
            for _ in 0..<20 { _ = read(count, after: 0) }
        }
        now = BootInstant(nanoseconds: .max)
        _ = read(1, after: 0)
        pace.note(1, at: BootInstant(nanoseconds: .min))
    }
}
