import GatewayCore
import Workouts
import XCTest

@testable import PulsegateCommand

/// From the bytes of a terminal to what they ask for.
final class KeyTests: XCTestCase {
    private let start = BootInstant(nanoseconds: 1_000_000_000)

    private func key(_ text: String) -> Character? {
        var parser = KeyParser()
        return parser.key(of: text.utf8, at: start)
    }

    func testKey_isWhatWasPressed() {
        for key in "plsq PL?\n" { XCTAssertEqual(self.key(String(key)), key) }
        XCTAssertEqual(key("sss"), "s")
    }

    func testKey_ofAnEscapeSequence_isNone() {
        let sequences = [
            "\u{1b}[A", "\u{1b}[1;5C", "\u{1b}OP", "\u{1b}[[A", "\u{1b}[15~",
            "\u{1b}[200~ps\u{1b}[201~",
            "\u{1b}l", "\u{1b}", "\u{1b}\u{1b}[D", "\u{1b}[<0;33;5M", "\u{1b}[A\u{1b}[A\u{1b}[B",
            "\u{1}\u{4}\u{7f}", "é", "",
        ]
        for sequence in sequences { XCTAssertNil(key(sequence), sequence.debugDescription) }
        XCTAssertEqual(key("\u{1b}[Ap"), "p")
        XCTAssertEqual(key("\u{1b}[200~pause\u{1b}[201~l"), "l")
        XCTAssertEqual(key("\u{1b}OPq"), "q")
    }

    func testKey_ofATextAtOnce_isNone() {
        XCTAssertNil(key("stop"))
        XCTAssertNil(key("ls"))
    }

    func testKey_ofASequenceInPieces_isNone() {
        for sequence in ["\u{1b}[1;5Ss", "\u{1b}OQs", "\u{1b}[200~plplpl\u{1b}[201~s"] {
            var parser = KeyParser()
            var keys: [Character] = []
            for (index, byte) in sequence.utf8.enumerated() {
                let time = start.adding(seconds: Double(index) / 100)
                if let key = parser.key(of: [byte], at: time) { keys.append(key) }
            }
            XCTAssertEqual(keys, ["s"], sequence.debugDescription)
        }
    }

    func testKey_longAfterTheEscapeKey_counts() {
        var parser = KeyParser()
        XCTAssertNil(parser.key(of: [0x1B], at: start))
        XCTAssertEqual(parser.key(of: "q".utf8, at: start.adding(seconds: 1)), "q")
    }

    func testKey_ofASequenceWithoutAnEnd_comesBackSometime() {
        var parser = KeyParser()
        let endless = "\u{1b}[" + String(repeating: "1;", count: 100)
        XCTAssertNil(parser.key(of: endless.utf8, at: start))
        XCTAssertEqual(parser.key(of: "q".utf8, at: start), "q")
    }

    // MARK: Wishes

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
