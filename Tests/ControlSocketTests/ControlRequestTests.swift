import XCTest

@testable import ControlSocket
@testable import GatewayHost
@testable import HealthModel

final class ControlRequestTests: XCTestCase {
    func testLine_isPlainJSON() {
        let request = ControlRequest.tap(TapFilter(type: .quantity(.heartRate), person: "ada"))
        XCTAssertEqual(
            String(decoding: request.line, as: UTF8.self),
            #"{"request":"tap","type":"heartRate","person":"ada"}"#)
    }

    func testIngest_ofManyRecords_waitsForTheStoreWithTheLastRequestOnly() throws {
        let records = try (0..<1_000).map { index in
            let time = Instant(nanosecondsSince1970: Int64(index))
            return Record.sample(
                try QuantitySample(
                    id: RecordID.make(start: time, device: "d", stream: "s", key: UInt64(index)),
                    type: .heartRate, start: time, end: time,
                    quantity: Quantity(60, .countPerMinute)))
        }
        let lines = ControlRequest.ingest(records, waitingForStore: true)
            .map { String(decoding: $0.line, as: UTF8.self) }
        XCTAssertGreaterThan(lines.count, 1)
        XCTAssertEqual(lines.map { $0.contains("waitForStore") }.filter { $0 }, [true])
        XCTAssertTrue(lines.last?.hasSuffix(#","waitForStore":true}"#) == true)
        let plain = ControlRequest.ingest(records).map { String(decoding: $0.line, as: UTF8.self) }
        XCTAssertFalse(plain.contains { $0.contains("waitForStore") })
    }
}

final class RequestLinesTests: XCTestCase {
    private func take(_ pieces: [String]) throws -> [String] {
        var lines = RequestLines()
        var taken: [String] = []
        for piece in pieces {
            taken += try lines.append(Array(piece.utf8)).map { String(decoding: $0, as: UTF8.self) }
        }
        return taken
            + (lines.finish().map { ["rest: " + String(decoding: $0, as: UTF8.self)] } ?? [])
    }

    func testAppend_returnsLinesHoweverTheyAreSplit() throws {
        XCTAssertEqual(try take(["a\nbc\n"]), ["a", "bc"])
        XCTAssertEqual(try take(["a", "b", "\n", "\n\nc", "d\n"]), ["ab", "cd"])
        XCTAssertEqual(try take(["a\nb"]), ["a", "rest: b"])
        XCTAssertEqual(try take(["\n", ""]), [])
    }

    func testAppend_buffersAtMostOneLine() throws {
        let longest = String(repeating: "x", count: ControlRequest.maximumLineLength)
        XCTAssertEqual(try take([longest, "\n"]), [longest])
        XCTAssertThrowsError(try take([longest, "x"]))
        XCTAssertThrowsError(try take([longest + "x\n"]))
        XCTAssertThrowsError(try take(["a\n" + longest, "x"]))
    }
}
