import GatewayCore
import HealthModel
import XCTest

@testable import SQLiteJournal

final class BatchChecksumTests: XCTestCase {
    func testChecksum_everyFlippedBitChangesIt() {
        let bytes = (0..<75).map { UInt8($0) }
        let place = JournalPlace(first: 3, position: 4, time: Instant(nanosecondsSince1970: 5))
        func sum(_ bytes: [UInt8], _ place: JournalPlace) -> Int64 {
            bytes.withUnsafeBytes { BatchChecksum.checksum($0, count: 2, at: place) }
        }
        let whole = sum(bytes, place)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                XCTAssertNotEqual(sum(changed, place), whole, "byte \(index), bit \(bit)")
            }
        }
        for length in bytes.indices {
            XCTAssertNotEqual(sum(Array(bytes[..<length]), place), whole)
        }
        var moved = place
        moved.first = 4
        XCTAssertNotEqual(sum(bytes, moved), whole)
    }
}
