import HealthModel
import XCTest

final class RecordIDTests: XCTestCase {
    private let start = Instant(nanosecondsSince1970: 1_795_284_900_123_456_789)

    func testMake_isAUUIDOfVersion8() {
        let id = RecordID.make(start: start, device: "D0:11", stream: "rr", key: 7)
        XCTAssertEqual(id.high >> 16, 1_795_284_900_123)
        XCTAssertEqual(id.high >> 12 & 0xF, 8)
        XCTAssertEqual(id.high & 0xFFF, 456_789 * 4_096 / 1_000_000)
        XCTAssertEqual(id.low >> 62, 0b10)
    }

    func testMake_resultNeverChanges() {
        let id = RecordID.make(start: start, device: "D0:11", stream: "rr", key: 7)
        XCTAssertEqual(id.description, "01a1ff51-991b-874f-af83-115e8e5fcfcd")
    }

    func testMake_whenAnArgumentDiffers_differs() {
        let ids = [
            RecordID.make(start: start, device: "a", stream: "bc", key: 7),
            RecordID.make(start: start, device: "ab", stream: "c", key: 7),
            RecordID.make(start: start, device: "a", stream: "bc", key: 8),
            RecordID.make(start: start.adding(nanoseconds: 1), device: "a", stream: "bc", key: 7),
            RecordID.make(start: start, device: "", stream: "abc", key: 7),
        ]
        XCTAssertEqual(Set(ids).count, ids.count)
    }

    func testInit_whenSeeded_isWhatMakeMakes() {
        let seed = RecordID.Seed(device: "D0:11", stream: "rr")
        XCTAssertEqual(
            RecordID(start: start, seed: seed, key: 7),
            RecordID.make(start: start, device: "D0:11", stream: "rr", key: 7))
    }

    func testInit_whenManyKeys_neverCollides() {
        let seed = RecordID.Seed(device: "D0:11", stream: "rr")
        let ids = Set((0..<200_000).map { RecordID(start: start, seed: seed, key: $0).low })
        XCTAssertEqual(ids.count, 200_000)
    }

    func testOrder_isByTimeBelowAMillisecond() {
        let seed = RecordID.Seed(device: "a", stream: "b")
        let ids = (0..<5_000).map {
            RecordID(start: start.adding(nanoseconds: $0 * 250), seed: seed, key: UInt64($0))
        }
        for (earlier, later) in zip(ids, ids.dropFirst()) {
            XCTAssertLessThan(earlier, later)
        }
    }

    func testInit_whenTimeIsExtreme_isClamped() {
        let seed = RecordID.Seed(device: "a", stream: "b")
        for nanoseconds in [Int64.min, -1, 0] {
            let id = RecordID(start: Instant(nanosecondsSince1970: nanoseconds), seed: seed, key: 0)
            XCTAssertEqual(id.high, 0x8000)
        }
        let last = RecordID(start: Instant(nanosecondsSince1970: .max), seed: seed, key: .max)
        XCTAssertEqual(last.high >> 16, 9_223_372_036_854)
    }

    func testText_readsBack() throws {
        let text = "0198f3c2-0123-8abc-9def-00ff10203040"
        let id = try XCTUnwrap(RecordID(uuidString: text))
        XCTAssertEqual(id, RecordID(high: 0x0198_F3C2_0123_8ABC, low: 0x9DEF_00FF_1020_3040))
        XCTAssertEqual(id.description, text)
        XCTAssertEqual(RecordID(uuidString: text.uppercased()), id)
    }

    func testText_whenMalformed_isNil() {
        let texts = [
            "", "0198f3c2", "0198f3c201238abc9def00ff10203040",
            "0198f3c2-0123-8abc-9def-00ff1020304", "0198f3c2-0123-8abc-9def-00ff102030400",
            "0198f3c2-0123-8abc-9def-00ff1020304g", "0198f3c20-123-8abc-9def-00ff10203040",
            "0198f3c2-0123-8abc-9def_00ff10203040", "{198f3c2-0123-8abc-9def-00ff10203040",
            "0198f3c2-0123-8abc-9def-00ff1020304é",
        ]
        for text in texts { XCTAssertNil(RecordID(uuidString: text), text) }
    }

    func testBytes_areBigEndianAndReadBack() {
        let id = RecordID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
        XCTAssertEqual(id.bytes, Array(0..<16))
        XCTAssertEqual(RecordID(bytes: id.bytes), id)
        XCTAssertEqual(id.withBytes { $0.count }, 16)
        XCTAssertNil(RecordID(bytes: id.bytes.dropLast()))
        XCTAssertNil(RecordID(bytes: id.bytes + [0]))
    }

    func testOrder_isByBytes() {
        let ids = [
            RecordID(high: 0, low: .max), RecordID(high: 1, low: 0), RecordID(high: 1, low: 1),
            RecordID(high: .max, low: 0),
        ]
        XCTAssertEqual(ids.reversed().sorted(), ids)
    }
}
