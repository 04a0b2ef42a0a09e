import Foundation
import GatewayCore
import GatewayTesting
import HealthModel
import SQLite
import SQLiteStore
import XCTest

/// A deletion beside a gateway that writes, and after one that was killed.
final class DeleteWhileRunningTests: XCTestCase {
    func testDeletion_whileTheGatewayReceives_leavesWhatIsNewer_andTheLedgerBalances() async throws
    {
        let home = try Home()
        let gateway = try home.start("run", "--simulate")
        try await gateway.waitForLines(5, with: "heartRate", on: .output)
        for _ in 0..<3 {
            let outcome = try await home.run(
                "delete", "sample", "heartRate", "--simulate", "--yes", "--json")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertTrue(outcome.output.hasPrefix(#"{"deleted":true,"#), outcome.output)
            let lines = await gateway.lines(of: .output, with: "heartRate").count
            try await gateway.waitForLines(lines + 3, with: "heartRate", on: .output)
        }
        let status = try await home.run("status", "--json", "--simulate")
        XCTAssertTrue(status.output.contains(#""balanced":true"#), status.output)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let problems = await gateway.text(of: .error).split(separator: "\n").filter {
            $0.contains("warning") || $0.contains("error")
        }
        XCTAssertEqual(problems, [])
        let left = try await home.count("heartRate", "--simulate")
        let received = await gateway.lines(of: .output, with: "heartRate").count
        XCTAssertGreaterThanOrEqual(left, 3)
        XCTAssertLessThan(left, received - 5)
    }

    /// Many rows are deleted in batches, between which the gateway stores what it gets.
    func testLargeDeletion_doesNotStopTheGateway() async throws {
        let home = try Home()
        let count = 40_000
        try await home.fill(try (0..<count).map { try Home.heartRate($0) })
        let gateway = try await home.startIdleGateway()
        let deletion = try home.start("delete", "sample", "heartRate", "--yes")
        var added = 0
        while await deletion.hasEnded == false, added < 20 {
            let outcome = try await home.run("add", "bodyMass", "70", "kg")
            XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
            XCTAssertEqual(outcome.error, "")
            added += 1
            await deletion.letRun(seconds: 0.01)
        }
        let ending = try await deletion.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        let text = await deletion.text(of: .output)
        XCTAssertTrue(text.hasSuffix("\n\(count) records deleted\n"), text)
        let left = [try await home.count("heartRate"), try await home.count("bodyMass")]
        XCTAssertEqual(left, [0, added])
        await gateway.send(SIGTERM)
        let end = try await gateway.waitForEnd()
        XCTAssertEqual(end, .exited(0))
    }

    /// The journal delivers once more what the killed gateway had stored.
    ///
    /// The row that was removed without a deletion shows that it does.
    func testRedeliveryAfterAKill_doesNotBringItBack_butAnImportDoes() async throws {
        let home = try Home()
        let gateway = try await home.startIdleGateway()
        for (type, value, unit) in [("bodyMass", "70", "kg"), ("height", "1.8", "m")] {
            let added = try await home.run("add", type, value, unit)
            XCTAssertEqual(added.ending, .exited(0), added.error)
        }
        await gateway.send(SIGKILL)
        try await gateway.waitForEnd()
        let stored = try await home.run("query", "bodyMass", "--format", "ndjson")
        let path = try home.write(stored.output, to: "mass.ndjson")

        let deleted = try await home.run("delete", "sample", "bodyMass", "--yes")
        XCTAssertTrue(deleted.output.hasSuffix("1 record deleted\n"), deleted.output)
        do {
            let other = try SQLiteConnection(
                path: "\(home.dataDirectory)/health.sqlite", access: .readWrite)
            try other.execute("DELETE FROM sample")
        }
        let next = try await home.startIdleGateway()
        let isBack = await next.waits(within: RunningCommand.timeoutSeconds) { _ in
            let path = "\(home.dataDirectory)/health.sqlite"
            let store = try? SQLiteConnection(path: path, access: .readOnly)
            let find = try? store?.prepare("SELECT 1 FROM sample")
            return (try? find?.step()) == true
        }
        XCTAssertTrue(isBack, "the journal has delivered nothing again")
        await next.send(SIGTERM)
        try await next.waitForEnd()
        let counts = [try await home.count("height"), try await home.count("bodyMass")]
        XCTAssertEqual(counts, [1, 0])

        let imported = try await home.run("import", path)
        XCTAssertEqual(imported.output, "imported 1 record, 0 were already in the store\n")
        let restored = try await home.run("query", "bodyMass", "--format", "ndjson")
        XCTAssertEqual(restored.output, stored.output)
    }
}
