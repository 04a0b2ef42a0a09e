import HealthModel
import Workouts
import XCTest

/// The calls on a session in each state, and their times.
final class WorkoutSessionTests: XCTestCase {
    private typealias Call = WorkoutSession.Call

    private func session() -> WorkoutSession {
        WorkoutSession(
            id: RecordID(high: 1, low: 1 << 63), person: "ada",
            activity: WorkoutActivity(.running), location: .outdoor)
    }

    private func session(in state: WorkoutState) throws -> WorkoutSession {
        var session = session()
        switch state {
        case .notStarted: break
        case .prepared: try session.prepare(at: SampleMaker.at(0))
        case .running: try session.start(at: SampleMaker.at(0))
        case .paused:
            try session.start(at: SampleMaker.at(0))
            try session.pause(at: SampleMaker.at(1))
        case .stopped:
            try session.start(at: SampleMaker.at(0))
            try session.stop(at: SampleMaker.at(1))
        case .ended: try session.end(at: SampleMaker.at(1))
        }
        return session
    }

    private func perform(_ call: Call, on session: inout WorkoutSession, at time: Instant) throws {
        switch call {
        case .prepare: try session.prepare(at: time)
        case .start: try session.start(at: time)
        case .pause: try session.pause(at: time)
        case .resume: try session.resume(at: time)
        case .lap: try session.lap(at: time)
        case .segment: try session.segment(from: time, to: time)
        case .marker: try session.marker(at: time)
        case .stop: try session.stop(at: time)
        case .end: try session.end(at: time)
        case .save: _ = try session.workout()
        }
    }

    /// The state after each allowed call; any other call is rejected.
    private let allowed: [WorkoutState: [Call: WorkoutState]] = [
        .notStarted: [.prepare: .prepared, .start: .running, .end: .ended],
        .prepared: [.start: .running, .end: .ended],
        .running: [
            .pause: .paused, .stop: .stopped, .end: .ended, .lap: .running, .segment: .running,
            .marker: .running,
        ],
        .paused: [
            .resume: .running, .stop: .stopped, .end: .ended, .lap: .paused, .segment: .paused,
            .marker: .paused,
        ],
        .stopped: [.end: .ended, .segment: .stopped, .save: .stopped],
        .ended: [:],
    ]

    func testCalls_inEachState_leadWhereTheTableSaysOrChangeNothing() throws {
        for state in WorkoutState.allCases {
            for call in Call.allCases {
                var session = try session(in: state)
                let before = session
                if let next = allowed[state]?[call] {
                    try perform(call, on: &session, at: SampleMaker.at(2))
                    XCTAssertEqual(session.state, next, "\(call) in \(state)")
                } else {
                    XCTAssertThrowsError(
                        try perform(call, on: &session, at: SampleMaker.at(2)),
                        "\(call) in \(state)"
                    ) { error in
                        let refusal = error as? WorkoutSessionError
                        XCTAssertTrue(refusal?.description.contains("; ") == true, "\(error)")
                    }
                    XCTAssertEqual(session, before, "\(call) in \(state)")
                }
            }
        }
    }

    func testStop_setsTheEnd_whichEndLeavesAlone() throws {
        var session = try session(in: .running)

        try session.stop(at: SampleMaker.at(60))
        try session.end(at: SampleMaker.at(140))

        XCTAssertEqual(session.endedAt, SampleMaker.at(60))
        XCTAssertEqual(try session.workout().end, SampleMaker.at(60))
    }

    func testEnd_whileRunning_setsTheEnd() throws {
        var session = try session(in: .running)

        try session.end(at: SampleMaker.at(60))

        XCTAssertEqual(session.endedAt, SampleMaker.at(60))
    }

    func testWorkout_ofWhatNeverStarted_isRefusedWithTheRemedy() throws {
        let session = try session(in: .ended)

        XCTAssertThrowsError(try session.workout()) { error in
            XCTAssertEqual(
                "\(error)",
                "the workout has not started; start it first: `pulsegate workout start`")
        }
    }

    func testRefusal_ofASecondPause_saysWhatToDo() throws {
        var session = try session(in: .paused)

        XCTAssertThrowsError(try session.pause(at: SampleMaker.at(2))) { error in
            XCTAssertEqual(
                "\(error)",
                "the workout is already paused; resume it with `pulsegate workout resume`")
        }
    }

    // MARK: Time

    func testTimes_neverGoBackwards() throws {
        var session = session()
        try session.start(at: SampleMaker.at(10))
        try session.pause(at: SampleMaker.at(5))
        try session.resume(at: SampleMaker.at(20))
        try session.marker(at: SampleMaker.at(19))
        try session.lap(at: SampleMaker.at(1))
        try session.stop(at: SampleMaker.at(15))

        XCTAssertEqual(
            session.events.map(\.end), [10, 20, 20, 20].map { SampleMaker.at($0) })
        XCTAssertEqual(session.endedAt, SampleMaker.at(20))
        XCTAssertNoThrow(try session.workout())
    }

    func testSeconds_ofPrancercise_countPausesInOneOnly() throws {
        var session = session()
        try session.start(at: SampleMaker.at(0))
        try session.pause(at: SampleMaker.at(10))
        XCTAssertEqual(session.activeSeconds(at: SampleMaker.at(13)), 10)
        try session.resume(at: SampleMaker.at(15))
        try session.stop(at: SampleMaker.at(25))

        XCTAssertEqual(session.elapsedSeconds(at: SampleMaker.at(99)), 25)
        XCTAssertEqual(session.activeSeconds(at: SampleMaker.at(99)), 20)
        XCTAssertEqual(
            session.intervals(at: SampleMaker.at(99)),
            [SampleMaker.span(0, 10), SampleMaker.span(15, 25)])
        XCTAssertEqual(try session.workout().seconds, 20)
    }

    func testSeconds_beforeTheStart_areNone() {
        XCTAssertEqual(session().elapsedSeconds(at: SampleMaker.at(9)), 0)
        XCTAssertEqual(session().activeSeconds(at: SampleMaker.at(9)), 0)
        XCTAssertEqual(session().laps(at: SampleMaker.at(9)), [])
    }

    func testPause_thatNothingEnds_continuesToTheEnd() throws {
        var session = try session(in: .paused)
        try session.stop(at: SampleMaker.at(8))

        XCTAssertEqual(session.activeSeconds(at: SampleMaker.at(8)), 1)
        XCTAssertEqual(session.pauses, [SampleMaker.span(1, 8)])
    }

    // MARK: Events

    func testLaps_followEachOther() throws {
        var session = session()
        try session.start(at: SampleMaker.at(0))
        try session.lap(at: SampleMaker.at(60))
        try session.lap(at: SampleMaker.at(90))

        XCTAssertEqual(session.events.map(\.start), [0, 60].map { SampleMaker.at($0) })
        XCTAssertEqual(session.events.map(\.kind), [.lap, .lap])
        XCTAssertEqual(
            session.laps(at: SampleMaker.at(100)),
            [SampleMaker.span(0, 60), SampleMaker.span(60, 90), SampleMaker.span(90, 100)])
    }

    func testSegment_beyondTheWorkout_isCutOff() throws {
        var session = session()
        try session.start(at: SampleMaker.at(10))
        try session.stop(at: SampleMaker.at(20))
        try session.segment(from: SampleMaker.at(0), to: SampleMaker.at(30))

        XCTAssertEqual(session.events.first?.start, SampleMaker.at(10))
        XCTAssertEqual(session.events.first?.end, SampleMaker.at(20))
        XCTAssertNoThrow(try session.workout())
    }

    func testEvents_whenThereAreTooMany_areRefusedButTheEndIsNot() throws {
        var session = session()
        try session.start(at: SampleMaker.at(0))
        var refusal: WorkoutSessionError?
        for second in 1...Workout.maximumEventCount {
            do throws(WorkoutSessionError) {
                try session.lap(at: SampleMaker.at(Double(second)))
            } catch {
                refusal = error
            }
        }

        XCTAssertEqual(refusal, .tooManyEvents)
        XCTAssertThrowsError(try session.pause(at: SampleMaker.at(2_000)))
        session.recover(lastSeen: SampleMaker.at(2_000), at: SampleMaker.at(2_010))
        XCTAssertEqual(session.events.last?.metadata["PulsegateGap"] != nil, true)
        try session.stop(at: SampleMaker.at(2_020))
        XCTAssertNoThrow(try session.workout())
    }

    func testResume_afterTheLastPauseThereIsRoomFor_isPossible() throws {
        var session = session()
        try session.start(at: SampleMaker.at(0))
        var second = 0.0
        while true {
            second += 1
            do { try session.pause(at: SampleMaker.at(second)) } catch { break }
            try session.resume(at: SampleMaker.at(second + 0.5))
        }

        XCTAssertEqual(session.state, .running)
    }

    func testEvent_withTooMuchMetadata_isRefused() throws {
        var session = try session(in: .running)
        let long = try Metadata(["note": .string(String(repeating: "x", count: 600))])

        XCTAssertThrowsError(try session.lap(at: SampleMaker.at(1), metadata: long)) {
            XCTAssertEqual($0 as? WorkoutSessionError, .metadataTooLong)
        }
    }

    // MARK: Recovery

    func testRecover_afterAShortGap_continuesAndReportsIt() throws {
        for state in [WorkoutState.running, .paused] {
            var session = try session(in: state)

            let recovery = session.recover(lastSeen: SampleMaker.at(5), at: SampleMaker.at(3_600))

            XCTAssertEqual(recovery, .gap(SampleMaker.span(5, 3_600)))
            XCTAssertEqual(session.state, state)
            XCTAssertEqual(session.events.last?.kind, .segment)
            XCTAssertEqual(session.events.last?.start, SampleMaker.at(5))
            XCTAssertEqual(session.events.last?.end, SampleMaker.at(3_600))
        }
    }

    func testRecover_afterMoreThanAnHour_stopsWhenItWasLastSeen() throws {
        var session = try session(in: .running)

        let recovery = session.recover(lastSeen: SampleMaker.at(5), at: SampleMaker.at(3_605.001))

        XCTAssertEqual(recovery, .stopped(SampleMaker.at(5)))
        XCTAssertEqual(session.state, .stopped)
        XCTAssertEqual(session.endedAt, SampleMaker.at(5))
    }

    func testRecover_whenTheClockWentBack_isNoGap() throws {
        var session = try session(in: .running)

        XCTAssertEqual(
            session.recover(lastSeen: SampleMaker.at(5), at: SampleMaker.at(4)), .noGap)
        XCTAssertEqual(session.events, [])
    }

    func testRecover_ofWhatHasStopped_changesNothing() throws {
        for state in [WorkoutState.stopped, .ended] {
            var session = try session(in: state)
            let before = session

            XCTAssertEqual(
                session.recover(lastSeen: SampleMaker.at(5), at: SampleMaker.at(9_000)), .noGap)
            XCTAssertEqual(session, before)
        }
    }

    func testRecover_ofWhatOnlyWaited_endsItAfterMoreThanAnHour() throws {
        var short = try session(in: .prepared)
        var long = short

        XCTAssertEqual(short.recover(lastSeen: SampleMaker.at(0), at: SampleMaker.at(9)), .noGap)
        long.recover(lastSeen: SampleMaker.at(0), at: SampleMaker.at(9_000))

        XCTAssertEqual(short.state, .prepared)
        XCTAssertEqual(long.state, .ended)
    }
}
