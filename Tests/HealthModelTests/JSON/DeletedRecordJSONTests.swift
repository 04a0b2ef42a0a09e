import HealthModel
import XCTest

/// Deletions as JSON.
final class DeletedRecordJSONTests: XCTestCase {
    private let id = RecordID(high: 0x0198_F3C2_0123_8ABC, low: 1)
    private let at = Instant(nanosecondsSince1970: 1_795_284_900_123_000_000)

    private func line(_ record: Record) -> String {
        var bytes: [UInt8] = []
        RecordEncoder.append(record, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func decode(_ line: String, stored: Bool = true) throws -> Record {
        var decoder = RecordDecoder(allowingUndeclared: stored)
        return try decoder.decode(Array(line.utf8))
    }

    func testDeletion_isWrittenAndRead() throws {
        let deletions: [(DeletedRecord, String)] = [
            (DeletedRecord(id: id, typeName: nil, at: at), ""),
            (DeletedRecord(id: id, typeName: "heartRate", at: at), #""type":"heartRate","#),
            (DeletedRecord(id: id, typeName: "workout", at: at), #""type":"workout","#),
            (DeletedRecord(id: id, typeName: "bloodPressure", at: at), #""type":"bloodPressure","#),
            // A type that is declared no more.
            (
                DeletedRecord(id: id, typeName: "skinTemperature", at: at),
                #""type":"skinTemperature","#
            ),
        ]
        for (deleted, type) in deletions {
            let text =
                #"{"kind":"deletion","id":"\#(id)",\#(type)"at":"2026-11-21T18:15:00.123Z"}"#
            XCTAssertEqual(line(.deletion(deleted)), text)
            XCTAssertEqual(try decode(text), .deletion(deleted))
        }
        for store in [0, 0xF3_0000_0000_0001, UInt64.max] {
            let deleted = DeletedRecord(id: id, typeName: nil, at: at, store: store)
            XCTAssertEqual(try decode(line(.deletion(deleted))), .deletion(deleted))
        }
    }

    func testDeletion_thatIsIncomplete_isRejected() {
        let start = #"{"kind":"deletion","id":"\#(id)","at":"2026-11-21T18:15:00Z""#
        XCTAssertNoThrow(try decode(start + "}"))
        for (text, problem) in [
            (#"{"kind":"deletion","at":"2026-11-21T18:15:00Z"}"#, "the key id is missing"),
            (#"{"kind":"deletion","id":"\#(id)"}"#, "the key at is missing"),
            (start + #","store":"xyz"}"#, "store must be a hexadecimal number"),
            (start + #","store":"10000000000000000"}"#, "store must be a hexadecimal number"),
            (start + #","store":7}"#, "store must be"),
        ] {
            XCTAssertThrowsError(try decode(text)) { error in
                XCTAssertTrue("\(error)".hasPrefix(problem), "\(error)")
            }
        }
    }

    /// Nobody but the owner of a store deletes: what a program or a person sends is refused.
    func testDeletion_fromOutside_isRejected() {
        let text = line(.deletion(DeletedRecord(id: id, typeName: nil, at: at)))
        XCTAssertThrowsError(try decode(text, stored: false)) { error in
            XCTAssertEqual(
                "\(error)",
                "kind must be sample, category, correlation, workout or event, at byte 8")
        }
    }
}
