import Foundation
import GatewayTesting
import HealthModel
import SQLiteStore
import Terminal
import XCTest

@testable import GatewayHost
@testable import HealthTransfer
@testable import Platform

final class HealthLoadTests: XCTestCase {
    private static let now = Instant(iso8601: "2026-01-02T00:00:00Z")

    private struct StoreFault: Error, CustomStringConvertible {
        var description: String { "the store is away" }
    }

    /// An export of up to 10 heart rates, one per minute.
    private func export(_ count: Int) -> String {
        let records = (0..<count).map { index in
            let time = "2026-01-01 10:1\(index):00 +0000"
            return """
                <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" \
                unit="count/min" value="60" startDate="\(time)" endDate="\(time)"/>
                """
        }
        return "<HealthData>\n\(records.joined(separator: "\n"))\n</HealthData>\n"
    }

    private func load(
        _ path: String, format: ImportFormat = .appleHealth,
        into store: @escaping () throws -> SQLiteStore
    ) async throws -> HealthLoad {
        let context = HealthLoad.Context(
            person: "ada", types: .standard, now: try XCTUnwrap(Self.now), calendar: .utc,
            places: nil, openStore: store)
        return try await HealthLoad(
            path, format: format, context,
            progress: ProgressLine(Environment(variables: [:]), clock: ManualClock()))
    }

    private func write(_ text: String, in folder: TemporaryFolder) throws -> String {
        let path = "\(folder.path)/export.xml"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    func testAFileCutAnywhere_leavesTheRecordsBefore_andTheRestCanFollow() async throws {
        let folder = try TemporaryFolder()
        let text = export(5)
        for count in stride(from: 12, to: text.count - 1, by: 37) {
            let store = try SQLiteStore(path: "\(folder.path)/\(count).sqlite")
            let cut = String(text.prefix(count))
            var part = try await load(try write(cut, in: folder)) { store }
            let failure = await part.run()
            XCTAssertNotNil(failure, "\(count)")
            let complete = cut.split(separator: "/>", omittingEmptySubsequences: false).count - 1
            XCTAssertEqual(part.outcome.stored, complete, "\(count)")
            var whole = try await load(try write(text, in: folder)) { store }
            let problem = await whole.run()
            XCTAssertNil(problem, "\(count)")
            XCTAssertEqual(whole.outcome.stored, 5 - complete, "\(count)")
            XCTAssertEqual(whole.outcome.alreadyStored, complete, "\(count)")
        }
    }

    func testAStoreThatCannotBeOpened_endsTheImport() async throws {
        let folder = try TemporaryFolder()
        var load = try await load(try write(export(2), in: folder)) { throw StoreFault() }
        let failure = await load.run()
        XCTAssertEqual(failure?.message, "the store is away")
        XCTAssertEqual(load.outcome, SaveOutcome())
    }

    func testSummary_ofOneRecord_isSingular() async throws {
        let folder = try TemporaryFolder()
        let path = try write(export(1), in: folder)
        let store = try SQLiteStore(path: folder.path("store"))
        for summary in [
            "imported 1 record, 0 were already in the store",
            "imported 0 records, 1 was already in the store",
        ] {
            var load = try await load(path) { store }
            let failure = await load.run()
            XCTAssertNil(failure)
            XCTAssertEqual(load.summary, summary)
        }
    }

    /// A record of Apple Health with a sync identifier replaces its earlier version; an earlier export
    /// changes nothing.
    func testVersions_ofAppleHealth_areReplaced() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("store"))
        func export(_ version: Int) -> String {
            """
            <HealthData><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" \
            unit="count/min" value="\(60 + version)" startDate="2026-01-01 10:10:00 +0000" \
            endDate="2026-01-01 10:10:00 +0000">
            <MetadataEntry key="HKMetadataKeySyncIdentifier" value="a1"/>
            <MetadataEntry key="HKMetadataKeySyncVersion" value="\(version)"/>
            </Record></HealthData>
            """
        }
        for (version, summary) in [
            (1, "imported 1 record, 0 were already in the store"),
            (3, "imported 1 record, 0 were already in the store"),
            (
                2,
                "imported 0 records, 0 were already in the store, "
                    + "1 was there in the same or a later version"
            ),
            (3, "imported 0 records, 1 was already in the store"),
        ] {
            var load = try await load(try write(export(version), in: folder)) { store }
            let failure = await load.run()
            XCTAssertNil(failure)
            XCTAssertEqual(load.summary, summary)
        }
        let found = try await store.samples(matching: SampleQuery(type: .heartRate))
        XCTAssertEqual(found.map(\.quantity.value), [63])
        XCTAssertEqual(found.map { $0.metadata[.syncVersion] }, [3])
        XCTAssertEqual(found.map { $0.metadata[.syncIdentifier] }, ["a1"])
    }

    func testACorrelation_withTheIDOfASampleOfAnotherPerson_isRefusedByName() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("store"))
        func line(_ number: Int, _ person: String) -> String {
            let time = #""start":"2026-01-01T08:00:00Z","end":"2026-01-01T08:00:00Z""#
            func member(_ number: Int, _ type: String) -> String {
                #"{"id":"0198f3c2-0000-8000-8000-00000000000\#(number)","type":"\#(type)",\#(time),"#
                    + #""value":81,"unit":"mmHg"}"#
            }
            return #"{"kind":"correlation","id":"0198f3c2-0000-8000-8000-0000000000a\#(number)","#
                + #""type":"bloodPressure",\#(time),"person":"\#(person)","samples":["#
                + member(1, "bloodPressureSystolic") + "," + member(2, "bloodPressureDiastolic")
                + "]}\n"
        }
        let path = try write(line(1, "ada") + line(2, "bob"), in: folder)
        var load = try await load(path, format: .recordLines) { store }
        let failure = await load.run()
        XCTAssertNil(failure)
        XCTAssertEqual(
            load.summary,
            "imported 1 record, 0 were already in the store; refused: the correlation "
                + "0198f3c2-0000-8000-8000-0000000000a2 has a sample with the id of a stored sample of "
                + "another person or type; give the sample an id of its own")
    }

    func testAFileWithoutRecords_opensNoStore() async throws {
        let folder = try TemporaryFolder()
        var load = try await load(try write(export(0), in: folder)) { throw StoreFault() }
        let failure = await load.run()
        XCTAssertNil(failure)
        XCTAssertEqual(
            load.summary, "imported 0 records, 0 were already in the store")
    }

    func testALineBreak_inTheNameOfTheFile_isEscapedInMessages() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("two\nlines")
        try "nonsense\n".write(toFile: path, atomically: false, encoding: .utf8)
        let name = folder.path("two\\u{a}lines")
        var load = try await load(path, format: .recordLines) { throw StoreFault() }
        let failure = await load.run()
        XCTAssertEqual(failure?.text, "\(name): no line is a valid record")
        do {
            _ = try await self.load(path) { throw StoreFault() }
            XCTFail("the file is read")
        } catch let error as HostError {
            XCTAssertTrue(error.text.hasPrefix("\(name): the file is not"), error.text)
        }
    }
}
