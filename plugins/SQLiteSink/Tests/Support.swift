import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import JSON
import Platform
import Readings
import SQLite
import SQLiteStore
import Synchronization
import XCTest

@testable import SQLiteSink

/// A sink made from a configuration, in a temporary folder.
class StoreSinkTestCase: XCTestCase {
    let clock = ManualClock()
    let logged = Logged()
    private var temporary: TemporaryFolder?

    /// The log lines.
    final class Logged: Sendable {
        private let lines = Mutex<[String]>([])

        func take(_ record: Logger.Record) {
            lines.withLock { $0.append(LogFormat.plain(record)) }
        }

        func count(of text: String) -> Int {
            lines.withLock { $0.count { $0.contains(text) } }
        }

        var text: String { lines.withLock { $0.joined() } }
    }

    override func setUpWithError() throws {
        temporary = try TemporaryFolder()
    }

    override func tearDownWithError() throws {
        temporary = nil
    }

    var folder: String { temporary?.path ?? "" }
    var path: String { "\(folder)/health.sqlite" }

    /// Makes a sink from its settings in JSON5, without the braces.
    func makeSink(
        _ settings: String = "", in folder: String? = nil,
        logLimitBytes: Int64 = LogWatch.defaultLimitBytes
    ) throws -> SQLiteSink {
        let node = ConfigurationNode(
            path: "sinks.store",
            value: try JSONValue(json5: "{ use: \"sqlite\", \(settings) }"))
        let object = try node.object(keys: ["use"] + SQLiteSink.factory.keys)
        let context = ComponentContext(
            name: "store", clock: clock,
            log: Logger(component: "test") { [logged] in logged.take($0) },
            dataDirectory: folder ?? self.folder)
        _ = try SQLiteSink.factory.make(object, context)
        return SQLiteSink(
            try StoreSettings(object), keyPath: "sinks.store.path", context,
            logLimitBytes: logLimitBytes)
    }

    /// One heart rate per second, the first `secondsAgo` before the clock's present.
    func records(_ numbers: Range<Int>, secondsAgo: Double = 0) throws -> [Record] {
        let now = clock.epoch().instant(at: clock.now())
        return try numbers.map { number in
            let time = now.adding(nanoseconds: Int64((Double(number) - secondsAgo) * 1e9))
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: time, device: "d", stream: "s", key: UInt64(number)),
                    type: .heartRate, start: time, end: time,
                    quantity: Quantity(72, .countPerMinute)))
        }
    }

    /// The reason for which a sink is blocked.
    func holdReason(_ sink: SQLiteSink, _ records: [Record], line: UInt = #line) async throws
        -> String
    {
        do {
            try await sink.write(records)
            XCTFail("the write worked", line: line)
        } catch SinkError.blocked(let reason) {
            return reason
        }
        return ""
    }

    func count(at path: String? = nil) async throws -> Int {
        try await SQLiteStore(readingFrom: path ?? self.path).count(of: .heartRate)
    }

    func fileBytes() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Flips bytes at the head of the root page of a table or index; a second call restores them.
    ///
    /// It uses another process, because closing a file releases the locks of this one.
    func flipPage(of name: String) throws {
        let statement = try SQLiteConnection(path: path, access: .readOnly)
            .prepare("SELECT rootpage FROM sqlite_master WHERE name = '\(name)'")
        XCTAssertTrue(try statement.step())
        try flipPage(Int(statement.integer(at: 0)))
    }

    func flipPage(_ page: Int) throws {
        let offset = (page - 1) * 4_096
        let old = try fileBytes()[offset..<offset + 8].map { $0 ^ 0x5a }
        let digits = old.map { "\\x" + String($0, radix: 16) }.joined()
        try shell(
            "printf '\(digits)' | dd of='\(path)' bs=1 seek=\(offset) conv=notrunc status=none")
    }

    /// Runs a script that must succeed, and returns its standard output.
    @discardableResult
    func shell(_ script: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-ec", script]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, script)
        return String(decoding: bytes, as: UTF8.self)
    }
}
