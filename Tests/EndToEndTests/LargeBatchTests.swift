import GatewayTesting
import Glibc
import Serial
import XCTest

/// Records that wait for a large batch, as a store on an SD card has them.
final class LargeBatchTests: XCTestCase {
    func testRecord_thatWaitsForAMinute_isShownAtOnce_andSurvivesACrash() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: { use: "sqlite", batch: { seconds: 60 } } } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let tap = try home.start("tap", "--type", "stepCount")
        // Nobody knows when a tap has begun, until it prints.
        var steps = 1
        while await tap.lines(of: .output, with: "stepCount").isEmpty {
            guard steps < 200 else { return XCTFail("the tap prints nothing") }
            try port.write(Array("Steps: \(steps)\n".utf8))
            steps += 2
            await tap.letRun(seconds: 0.1)
        }
        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd(within: 10)
        _ = try await tap.waitForEnd(within: 10)
        // Nobody has asked the gateway for what the sink collects.
        let waiting = try await home.run("query", "stepCount")
        XCTAssertEqual(waiting.output, "", waiting.error)

        let next = try await home.run("run", "--for", "1")
        XCTAssertEqual(next.ending, .exited(0), next.error)
        let stored = try await home.run("query", "stepCount", "--format", "csv")
        XCTAssertTrue(stored.output.contains(",2,count,"), stored.output + stored.error)
    }
}
