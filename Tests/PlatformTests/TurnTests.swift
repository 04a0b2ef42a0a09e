import Synchronization
import XCTest

@testable import Platform

/// Tests of the turn that one task has at a time.
final class TurnTests: XCTestCase {
    /// Counts the tasks that are at the same place.
    private final class Crowd: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func enter() {
            counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        }

        func leave() { counts.withLock { $0.now -= 1 } }
    }

    func testTasks_haveTheirTurnOneAfterTheOther() async {
        let turn = Turn()
        let crowd = Crowd()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await turn.begin()
                    crowd.enter()
                    await Task.yield()
                    crowd.leave()
                    turn.end()
                }
            }
        }
        XCTAssertEqual(crowd.most, 1)
    }
}
