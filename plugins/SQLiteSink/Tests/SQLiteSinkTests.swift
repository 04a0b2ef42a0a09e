import GatewayCore
import GatewayTesting
import Glibc
import HealthModel
import HealthStore
import XCTest

@testable import SQLiteSink

final class SQLiteSinkTests: XCTestCase {
    private var folder = ""

    override func setUpWithError() throws {
        var template = Array("/tmp/pulsegate-sink-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        folder = try XCTUnwrap(made)
    }

    override func tearDown() {
        for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/health.sqlite\(suffix)") }
        rmdir(folder)
    }

    private func makeSink(_ settings: ConfigurationValue) throws -> any Sink {
        let node = ConfigurationNode(path: "sinks.store", value: settings)
        let context = ComponentContext(
            name: "store", clock: ManualClock(), log: Logger(component: "test") { _ in },
            dataFolder: folder)
        let object = try node.object(keys: ["use"] + SQLiteSink.factory.keys)
        return try SQLiteSink.factory.make(object, context)
    }

    private func records(_ count: Int) throws -> [Record] {
        try (0..<count).map { index in
            let now = Instant(nanosecondsSince1970: Int64(index) * 1_000_000)
            return .sample(
                try QuantitySample(
                    id: RecordID.make(start: now, device: "d", stream: "s", key: UInt64(index)),
                    type: .heartRate, start: now, end: now, quantity: Quantity(72, .countPerMinute))
            )
        }
    }

    func testWrite_keepsEachRecordOnce_atThePathInTheDataFolder() async throws {
        let sink = try makeSink(.object(["use": .string("sqlite")]))
        try await sink.write(records(10))
        try await sink.write(records(12))
        let store = try HealthStore(readingFrom: "\(folder)/health.sqlite")
        let count = try await store.count(of: .heartRate)
        XCTAssertEqual(count, 12)
    }

    func testWrite_whenTheFileCannotBeOpened_holdsAndOpensItLater() async throws {
        let sink = try makeSink(
            .object(["use": .string("sqlite"), "path": .string("missing/health.sqlite")]))
        do {
            try await sink.write(records(1))
            XCTFail("the write worked")
        } catch SinkError.hold(let reason) {
            XCTAssertTrue(reason.hasPrefix("\(folder)/missing/health.sqlite"), reason)
        }
        mkdir("\(folder)/missing", 0o700)
        try await sink.write(records(1))
        for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/missing/health.sqlite\(suffix)") }
        rmdir("\(folder)/missing")
    }

    func testWrite_whenTheFileIsNoDatabase_holds() async throws {
        let path = "\(folder)/health.sqlite"
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        let text = Array(repeating: UInt8(ascii: "x"), count: 5_000)
        XCTAssertEqual(Glibc.write(descriptor, text, text.count), text.count)
        close(descriptor)
        let sink = try makeSink(.object(["use": .string("sqlite")]))
        do {
            try await sink.write(records(1))
            XCTFail("the write worked")
        } catch SinkError.hold {
        }
    }

    func testFactory_readsItsSettingsStrictly() {
        XCTAssertThrowsError(
            try makeSink(.object(["use": .string("sqlite"), "path": .number(5)])))
        XCTAssertThrowsError(
            try makeSink(.object(["use": .string("sqlite"), "file": .string("x")])))
    }
}
