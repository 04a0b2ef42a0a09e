import Platform
import Workouts
import XCTest

@testable import PulsegateCommand

final class WorkoutKeysTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 1_000_000_000_000)

    private func wishes(_ keys: String, _ state: WorkoutState) -> [WorkoutKeys.Wish?] {
        var wishes = WorkoutKeys()
        return keys.map { wishes.wish(of: $0, in: state, at: start) }
    }

    func testWish_dependsOnTheState() {
        XCTAssertEqual(wishes("p l", .running), [.pause, .pause, .lap])
        XCTAssertEqual(wishes("p l", .paused), [.resume, .resume, nil])
        XCTAssertEqual(wishes("q", .paused), [.leave])
        XCTAssertEqual(wishes("x\n", .running), [nil, nil])
        for state in [WorkoutState.notStarted, .prepared, .stopped, .ended] {
            XCTAssertEqual(wishes("p lssq", state), [nil, nil, nil, nil, nil, .leave])
        }
    }

    func testStop_isAskedForTwice() {
        XCTAssertEqual(wishes("ss", .running), [nil, .stop])
        XCTAssertEqual(wishes("SsS", .paused), [nil, .stop, nil])
        XCTAssertEqual(wishes("spss", .running), [nil, nil, nil, .stop])
        XCTAssertEqual(wishes("sq", .running), [nil, .leave])
    }

    func testLeaving_whenTheWorkoutWouldEndWithIt_isAskedForLikeAStop() {
        var keys = WorkoutKeys()
        keys.canLeave = false
        XCTAssertEqual(
            "qxqqqs".map { keys.wish(of: $0, in: .running, at: start) },
            [nil, nil, nil, .stop, nil, .stop])
        XCTAssertEqual(keys.wish(of: "q", in: .stopped, at: start), .leave)
    }

    func testQuestion_isForgottenAfterAWhile() {
        var keys = WorkoutKeys()
        XCTAssertNil(keys.wish(of: "s", in: .running, at: start))
        XCTAssertTrue(keys.asksToStop(at: start.adding(seconds: 9)))
        let later = start.adding(seconds: 11)
        XCTAssertFalse(keys.asksToStop(at: later))
        XCTAssertNil(keys.wish(of: "s", in: .running, at: later))
        XCTAssertEqual(keys.wish(of: "s", in: .running, at: later), .stop)
    }
}
