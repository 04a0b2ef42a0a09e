import Foundation
import GatewayTesting
import Serial
import XCTest

/// A gateway that has nothing to do does not wake up.
final class IdleTests: XCTestCase {
    /// How long a gateway is watched.
    private static let windowSeconds = 3.0
    /// Something that wakes up every second does so in each window.
    private static let windows = 5

    func testQuietPort_wakesNothing() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: { use: "sqlite" }, lines: { use: "stdout" } } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try port.write(Array("Steps: 1\r\nSteps: 3\r\n".utf8))
        try await gateway.waitForLines(with: #""type":"stepCount""#, on: .output)

        // Libdispatch names its threads after its queues: `root.default-qos` and the like.
        XCTAssertEqual(try gateway.threadNames().filter { $0.contains("qos") }, [])

        // What was written is still being stored; only then there is nothing to do.
        var wakes: [Int] = []
        repeat {
            let before = try gateway.sleepsOfThreads()
            await gateway.letRun(seconds: Self.windowSeconds)
            let after = try gateway.sleepsOfThreads()
            wakes.append(after.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) })
        } while (wakes.last ?? 0) > 1 && wakes.count < Self.windows

        XCTAssertLessThanOrEqual(try XCTUnwrap(wakes.last), 1, "\(wakes) in 3 seconds each")
        try port.write(Array("Steps: 4\r\n".utf8))
        try await gateway.waitForLines(2, with: #""type":"stepCount""#, on: .output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }
}
