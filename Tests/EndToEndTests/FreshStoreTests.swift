import GatewayTesting
import Glibc
import Serial
import XCTest

/// The store collects what comes all the time; whoever reads it by a command has everything all the same.
final class FreshStoreTests: XCTestCase {
    func testReaders_ofAStoreThatCollects_haveWhatWasAccepted() async throws {
        let port = try PseudoTerminal()
        let home = try Home()
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite", lines: "stdout" } }
            """)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try port.write(Array("Steps: 0\r\n".utf8))
        // One after the other, so that they are a continuous stream.
        for count in 1...20 {
            try port.write(Array("Steps: \(count)\r\n".utf8))
            try await gateway.waitForLines(count, with: #""type":"stepCount""#, on: .output)
        }
        let query = try await home.run("query", "stepCount", "--format", "ndjson")
        XCTAssertEqual(query.output.split(separator: "\n").count, 20, query.output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
    }
}
