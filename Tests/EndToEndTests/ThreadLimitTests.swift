import GatewayTesting
import XCTest

/// Commands whose user may have no further thread, or which may have no further open file.
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

    func testCommand_thatCannotMakeATimer_endsWithAMessage() async throws {
        let home = try Home()
        var errors: [String] = []
        // How many files are open before depends on the system's libraries.
        for limit in 4...8 {
            let outcome = try await home.run(
                ["run", "--simulate", "--for", "1"],
                prefix: ["/usr/bin/env", "prlimit", "--nofile=\(limit):\(limit)"])
            if case .killed = outcome.ending { XCTFail("\(limit): \(outcome.error)") }
            guard outcome.error.contains("timer") else { continue }
            XCTAssertEqual(outcome.ending, .exited(1), outcome.error)
            errors.append(outcome.error)
        }
        XCTAssertFalse(errors.isEmpty)
        for error in errors { XCTAssertTrue(error.contains("(`ulimit -n`)"), error) }
    }
}
