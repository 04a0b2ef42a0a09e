import GatewayTesting
import HealthModel
import Platform
import XCTest

@testable import AppleHealth

/// Exports that are cut, damaged or large.
final class AppleHealthFuzzTests: XCTestCase {
    func testPieces_ofEachSize_giveTheSameRecords() throws {
        let elements = (0..<60).map { AppleHealthExample.heartRate("\(60 + $0)") }
        let file = AppleHealthExample.file(elements.joined() + AppleHealthExample.workout)
        let whole = try AppleHealthReader.all(file)
        XCTAssertEqual(whole.records.count, 61)
        for size in [1, 7, 100, 4_097] {
            let pieces = try AppleHealthReader.all(file, pieceSize: size)
            XCTAssertEqual(pieces.records, whole.records, "\(size)")
            XCTAssertEqual(pieces.counts, whole.counts, "\(size)")
        }
    }

    func testTruncation_atEveryByte_isAnError_afterTheCompleteRecords() throws {
        let file = AppleHealthExample.whole
        let whole = try AppleHealthReader.all(file).records
        // Only white space follows the root's end.
        let end = try XCTUnwrap(file.lastIndex(of: UInt8(ascii: ">")))
        for count in 0...end {
            var records: [Record] = []
            XCTAssertThrowsError(
                try self.records(Array(file[..<count]), into: &records), "\(count)")
            XCTAssertEqual(records, Array(whole.prefix(records.count)), "\(count)")
        }
        var records: [Record] = []
        XCTAssertThrowsError(try self.records(Array(file[..<end]), into: &records))
        XCTAssertEqual(records, whole)
    }

    func testDamagedBytes_areRecordsOrAnError() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            var file = AppleHealthExample.whole
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                file[Int.random(in: file.indices, using: &generator)] =
                    .random(in: 0...255, using: &generator)
            }
            var records: [Record] = []
            do {
                try self.records(file, into: &records)
            } catch {
                XCTAssertTrue(error is AppleHealthError, "\(error)")
            }
            XCTAssertLessThanOrEqual(records.count, 7)
        }
    }

    func testRandomBytes_areAnError() {
        var generator = SeededGenerator(seed: 8)
        for count in 0..<500 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            XCTAssertThrowsError(try AppleHealthReader.all(bytes))
        }
    }

    func testMemory_doesNotGrowWithTheFile() throws {
        let start = AppleHealthExample.file("").dropLast("</HealthData>\n".utf8.count)
        var reader = try AppleHealthReader(
            Array(start), isLast: false, person: "ada", now: AppleHealthReader.now)
        XCTAssertEqual(try reader.records(limit: 1), [])
        func add(_ pieces: Int) throws {
            for number in 0..<pieces {
                let text = (0..<250).map { index in
                    AppleHealthExample.heartRate(
                        "\(60 + index % 100)", more: "<x\(index % 9) a=\"\(number)-\(index)\"/>")
                }.joined()
                reader.append(Array(text.utf8), isLast: false)
                while try !reader.records(limit: 100).isEmpty {}
            }
        }
        try add(20)
        let before = SystemCall.residentBytes
        try add(200)
        XCTAssertEqual(reader.counts.recordCount, 55_000)
        XCTAssertLessThan(SystemCall.residentBytes - before, 8 << 20)
    }

    private func records(_ bytes: [UInt8], into records: inout [Record]) throws {
        var reader = try AppleHealthReader(
            bytes, isLast: true, person: "ada", now: AppleHealthReader.now)
        do {
            while case let batch = try reader.records(limit: 2), !batch.isEmpty { records += batch }
        } catch {
            records += reader.takePending()
            throw error
        }
    }
}
