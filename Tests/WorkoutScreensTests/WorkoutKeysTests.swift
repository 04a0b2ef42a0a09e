import Platform
import Workouts
import XCTest

@testable import WorkoutScreens

final class WorkoutKeysTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 1_000_000_000_000)

    private func commands(_ keys: String, _ state: WorkoutState) -> [WorkoutKeys.Command?] {
        var keyboard = WorkoutKeys()
        return keys.map { keyboard.command(of: $0, in: state, at: start) }
    }

    func testCommand_dependsOnTheState() {
        XCTAssertEqual(commands("p l", .running), [.pause, .pause, .lap])
        XCTAssertEqual(commands("p l", .paused), [.resume, .resume, nil])
        XCTAssertEqual(commands("q", .paused), [.leave])
        XCTAssertEqual(commands("x\n", .running), [nil, nil])
        for state in [WorkoutState.notStarted, .prepared, .stopped, .ended] {
            XCTAssertEqual(commands("p lssq", state), [nil, nil, nil, nil, nil, .leave])
        }
    }

    func testStop_requiresConfirmation() {
        XCTAssertEqual(commands("ss", .running), [nil, .stop])
        XCTAssertEqual(commands("SsS", .paused), [nil, .stop, nil])
        XCTAssertEqual(commands("spss", .running), [nil, nil, nil, .stop])
        XCTAssertEqual(commands("sq", .running), [nil, .leave])
    }

    func testLeaving_whenItWouldEndTheWorkout_requiresConfirmation() {
        var keys = WorkoutKeys()
        keys.canLeave = false
        XCTAssertEqual(
            "qxqqqs".map { keys.command(of: $0, in: .running, at: start) },
            [nil, nil, nil, .stop, nil, .stop])
        XCTAssertEqual(keys.command(of: "q", in: .stopped, at: start), .leave)
    }

    func testConfirmation_timesOut() {
        var keys = WorkoutKeys()
        XCTAssertNil(keys.command(of: "s", in: .running, at: start))
        XCTAssertTrue(keys.isConfirmingStop(at: start.adding(seconds: 9)))
        let later = start.adding(seconds: 11)
        XCTAssertFalse(keys.isConfirmingStop(at: later))
        XCTAssertNil(keys.command(of: "s", in: .running, at: later))
        XCTAssertEqual(keys.command(of: "s", in: .running, at: later), .stop)
    }
}
