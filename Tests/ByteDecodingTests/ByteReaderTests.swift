import ByteDecoding
import GatewayTesting
import HealthModel
import Platform
import XCTest

final class ByteReaderTests: XCTestCase {
    func testNumbers_areLittleEndianByDefault() throws {
        var reader = ByteReader([0x01, 0x02, 0x03, 0xF4, 0x05, 0x06, 0x87, 0x08, 0x09, 0x0A])
        XCTAssertEqual(try reader.uint8(), 0x01)
        XCTAssertEqual(try reader.uint24(), 0xF4_0302)
        XCTAssertEqual(try reader.uint16(), 0x0605)
        XCTAssertEqual(try reader.uint32(), 0x0A09_0887)
        XCTAssertEqual(reader.remainingCount, 0)
    }

    func testNumbers_inBigEndian() throws {
        var reader = ByteReader([1, 2, 3, 4, 5, 6, 7, 8, 9], order: .big)
        XCTAssertEqual(try reader.uint24(), 0x01_0203)
        XCTAssertEqual(try reader.uint48(), 0x0405_0607_0809)
        reader = ByteReader([1, 2, 3, 4, 5, 6, 7, 8], order: .big)
        XCTAssertEqual(try reader.uint64(), 0x0102_0304_0506_0708)
    }

    func testSignedNumbers_areTwosComplement() throws {
        var reader = ByteReader([0xFF, 0xFE, 0xFF, 0x00, 0x00, 0x80, 0xFF, 0xFF, 0x7F])
        XCTAssertEqual(try reader.int8(), -1)
        XCTAssertEqual(try reader.int16(), -2)
        XCTAssertEqual(try reader.int24(), -8_388_608)
        XCTAssertEqual(try reader.int24(), 8_388_607)
        reader = ByteReader([0x00, 0x00, 0x00, 0x80])
        XCTAssertEqual(try reader.int32(), .min)
    }

    func testEveryMethod_onTooFewBytes_throwsAndConsumesNothing() {
        let methods: [(Int, (inout ByteReader) throws -> Void)] = [
            (1, { _ = try $0.uint8() }), (1, { _ = try $0.int8() }),
            (2, { _ = try $0.uint16() }), (2, { _ = try $0.int16() }),
            (3, { _ = try $0.uint24() }), (3, { _ = try $0.int24() }),
            (4, { _ = try $0.uint32() }), (4, { _ = try $0.int32() }),
            (6, { _ = try $0.uint48() }), (8, { _ = try $0.uint64() }),
            (2, { _ = try $0.sfloat() }), (4, { _ = try $0.float() }),
            (7, { _ = try $0.dateTime() }), (5, { try $0.skip(5) }), (9, { _ = try $0.bytes(9) }),
        ]
        for (needed, method) in methods {
            for count in 0..<needed {
                var reader = ByteReader([UInt8](repeating: 1, count: count))
                XCTAssertThrowsError(try method(&reader)) {
                    XCTAssertEqual($0 as? ByteDecodingError, .truncated)
                }
                XCTAssertEqual(reader.remainingCount, count, "\(needed)")
            }
            var reader = ByteReader([UInt8](repeating: 7, count: needed))
            XCTAssertNoThrow(try method(&reader))
            XCTAssertEqual(reader.remainingCount, 0)
        }
    }

    func testBytes_withANegativeCount_throws() {
        var reader = ByteReader([1, 2])
        XCTAssertThrowsError(try reader.bytes(-1))
        XCTAssertThrowsError(try reader.skip(.min))
        XCTAssertEqual(Array(reader.remaining), [1, 2])
    }

    func testFlags() {
        let flags = BitFlags<UInt16>(0b1010_0000_0000_0101)
        XCTAssertTrue(flags[0] && flags[2] && flags[15])
        XCTAssertFalse(flags[1] || flags[14] || flags[16] || flags[-1])
        XCTAssertEqual(flags[0...2], 5)
        XCTAssertEqual(flags[13...15], 5)
        XCTAssertEqual(flags[0...15], flags.rawValue)
        XCTAssertEqual(flags[14...99], 2)
        XCTAssertEqual(flags[16...99], 0)
        XCTAssertEqual(flags[(-9)...(-1)], 0)
    }

    /// The Date Time of Nordic's vectors, and what no calendar has.
    func testDateTime() throws {
        var reader = ByteReader([0xDC, 0x07, 0x0C, 0x05, 0x0B, 0x32, 0x1B])
        let time = try reader.dateTime()
        XCTAssertEqual(time.instant(), Instant(iso8601: "2012-12-05T11:50:27Z"))
        XCTAssertEqual(
            time.instant(secondsFromUTC: 3_600), Instant(iso8601: "2012-12-05T10:50:27Z"))
        var unknownYear = ByteReader([0x00, 0x00, 0x04, 0x11, 0x14, 0x29, 0x3B])
        let partial = try unknownYear.dateTime()
        XCTAssertNil(partial.instant())
        XCTAssertEqual(partial.secondOfDay, 20 * 3_600 + 41 * 60 + 59)
        for invalid in [
            [0xE7, 0x07, 2, 29, 0, 0, 0], [0xE7, 0x07, 13, 1, 0, 0, 0],
            [0xE7, 0x07, 1, 1, 24, 0, 0],
            [0xE7, 0x07, 1, 1, 0, 60, 0], [0xE7, 0x07, 1, 1, 0, 0, 60],
            [0x01, 0x00, 1, 1, 0, 0, 0],
            [0xFF, 0xFF, 1, 1, 0, 0, 0], [0xE7, 0x07, 1, 32, 0, 0, 0],
        ] as [[UInt8]] {
            var reader = ByteReader(invalid)
            XCTAssertThrowsError(try reader.dateTime(), "\(invalid)") {
                XCTAssertEqual($0 as? ByteDecodingError, .invalid)
            }
        }
        XCTAssertNil(
            GATTDateTime(year: 9999, month: 1, day: 1, hour: 0, minute: 0, second: 0)?.instant())
        XCTAssertNil(time.instant(secondsFromUTC: .min))
    }

    func testDateTime_ofRandomBytes_neverTraps() {
        var run = FuzzRun("dates of devices", inputs: 20_000)
        while var random = run.next() {
            var reader = ByteReader((0..<7).map { _ in UInt8.random(in: 0...255, using: &random) })
            guard let time = try? reader.dateTime() else { continue }
            run.expect(time.secondOfDay < 86_400, "\(time.secondOfDay) seconds")
            _ = time.instant(secondsFromUTC: Int.random(in: -50_000...50_000, using: &random))
        }
        XCTAssertEqual(run.finish(), [])
    }

    func testValues_ofRandomBytes_areReadOrThrow() {
        var run = FuzzRun("values of any bytes", inputs: 5_000)
        while var random = run.next() {
            let bytes = random.bytes(upTo: 24)
            var reader = ByteReader(bytes, order: random.pick([.little, .big]))
            for _ in 0..<8 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0: _ = try? reader.sfloat()
                case 1: _ = try? reader.float()
                case 2: _ = try? reader.dateTime()
                case 3: _ = try? reader.uint24()
                default: _ = try? reader.bytes(Int.random(in: 0...9, using: &random))
                }
            }
            run.expect(reader.remainingCount >= 0, "\(reader.remainingCount) bytes remain")
        }
        XCTAssertEqual(run.finish(), [])
    }
}
