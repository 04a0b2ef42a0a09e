import GatewayTesting
import XCTest

/// Commands whose user may have no further thread.
final class ThreadLimitTests: XCTestCase {
    func testCommand_thatCannotStartAThread_endsWithAMessage() async throws {
        let nobody = try Home.wordsForNobody()
        let home = try Home()
        for words in [["run", "--simulate"], ["devices"], ["query", "heartRate"]] {
            for limit in 1...3 {
                let outcome = try await home.run(
                    words, prefix: nobody + ["prlimit", "--nproc=\(limit):\(limit)"])
                XCTAssertNotEqual(outcome.ending, .exited(0), "\(words) \(limit)")
                guard limit == 1 else { continue }
                XCTAssertEqual(outcome.ending, .exited(1), "\(words): \(outcome.error)")
                XCTAssertTrue(
                    outcome.error.hasPrefix("pulsegate: cannot start the thread `"), outcome.error)
            }
        }
    }
}
