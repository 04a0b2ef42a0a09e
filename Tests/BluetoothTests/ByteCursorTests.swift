import XCTest

@testable import Bluetooth

final class ByteCursorTests: XCTestCase {
    func testReads_takeTheLeastSignificantByteFirst() throws {
        var cursor = ByteCursor([0x01, 0x02, 0x03, 0x04])

        XCTAssertEqual(try cursor.uint8(), 0x01)
        XCTAssertEqual(try cursor.uint16(), 0x0302)
        XCTAssertEqual(cursor.remainingCount, 1)
        XCTAssertEqual(Array(cursor.remaining), [0x04])
    }

    func testRead_whenTooFewBytesAreLeft_throwsAndConsumesNothing() {
        var cursor = ByteCursor([0x07])

        XCTAssertThrowsError(try cursor.uint16()) { error in
            XCTAssertEqual(error as? GATTDecodingError, .truncated)
        }
        XCTAssertEqual(try cursor.uint8(), 0x07)
        XCTAssertThrowsError(try cursor.uint8())
        XCTAssertEqual(Array(cursor.remaining), [])
    }
}
