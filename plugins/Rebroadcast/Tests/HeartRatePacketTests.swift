import XCTest

@testable import Rebroadcast

/// Tests of the values of 0x2A37 (Heart Rate Service 1.0, §3.1).
final class HeartRatePacketTests: XCTestCase {
    func testBytes_areThoseOfAStrap() {
        let cases: [(HeartRatePacket, [UInt8])] = [
            (.noContact, [0x04, 0]),
            (.heart(rate: 60, intervals: []), [0x06, 60]),
            (.heart(rate: 255, intervals: []), [0x06, 255]),
            (.heart(rate: 256, intervals: []), [0x07, 0x00, 0x01]),
            (.heart(rate: 60, intervals: [1_024]), [0x16, 60, 0x00, 0x04]),
            (.heart(rate: 300, intervals: [1_013, 1]), [0x17, 0x2C, 0x01, 0xF5, 0x03, 1, 0]),
        ]
        for (packet, bytes) in cases { XCTAssertEqual(packet.bytes, bytes, "\(packet)") }
    }

    func testIntervals_thatDoNotFit_leaveTheNewestOnes() {
        let intervals = (1...12).map { UInt16($0) }
        let bytes = HeartRatePacket.heart(rate: 60, intervals: intervals).bytes
        XCTAssertEqual(bytes.count, 20)
        XCTAssertEqual(bytes.suffix(2), [12, 0])
        let wide = HeartRatePacket.heart(rate: 300, intervals: intervals).bytes
        XCTAssertEqual(wide.count, 19)
        XCTAssertEqual(Array(wide[3...4]), [5, 0])
    }
}
