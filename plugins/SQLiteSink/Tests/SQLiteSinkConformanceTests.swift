import GatewayCore
import GatewayTesting
import JSON
import Platform
import SQLite
import XCTest

@testable import SQLiteSink

final class SQLiteSinkConformanceTests: XCTestCase {
    private static func makeSink(in folder: String) throws -> any Sink {
        let node = ConfigurationNode(
            path: "sinks.store", value: .object(["use": .string("sqlite")]))
        let context = ComponentContext(
            name: "store", clock: ManualClock(), log: Logger(component: "test") { _ in },
            dataDirectory: folder)
        let object = try node.object(keys: ["use"] + SQLiteSink.factory.keys)
        return try SQLiteSink.factory.make(object, context)
    }

    func testSink_keepsTheContract() async throws {
        let folder = try TemporaryFolder()
        _ = try await Self.makeSink(in: folder.path).write([])
        let findings = await SinkConformance.findings(
            stored: { try Self.count(at: folder.path("health.sqlite")) },
            makeSink: { try Self.makeSink(in: folder.path) })
        XCTAssertEqual(findings, [])
    }

    func testSink_withoutItsFolder_keepsTheContract() async throws {
        let folder = try TemporaryFolder()
        let findings = await SinkConformance.findingsWhenUnavailable {
            try Self.makeSink(in: folder.path("missing"))
        }
        XCTAssertEqual(findings, [])
    }

    /// The number of rows of all kinds of records.
    private static func count(at path: String) throws -> Int {
        let connection = try SQLiteConnection(path: path, access: .readOnly)
        let tables = ["sample", "category", "correlation", "workout", "event"]
        return try tables.reduce(0) { sum, table in
            let rows = try connection.prepare("SELECT count(*) FROM \(table)")
            _ = try rows.step()
            return sum + Int(rows.integer(at: 0))
        }
    }
}
