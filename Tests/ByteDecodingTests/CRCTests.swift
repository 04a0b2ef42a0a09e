import ByteDecoding
import XCTest

final class CRCTests: XCTestCase {
    /// The check values of the catalogue of parametrised CRC algorithms.
    func testChecksum_ofTheCheckText_isTheCataloguesValue() {
        let text = "123456789".utf8
        XCTAssertEqual(CRC.crc8.checksum(text), 0xF4)
        XCTAssertEqual(CRC.crc8Maxim.checksum(text), 0xA1)
        XCTAssertEqual(CRC.crc16ARC.checksum(text), 0xBB3D)
        XCTAssertEqual(CRC.crc16Modbus.checksum(text), 0x4B37)
        XCTAssertEqual(CRC.crc16XModem.checksum(text), 0x31C3)
        XCTAssertEqual(CRC.crc16CCITT.checksum(text), 0x29B1)
        XCTAssertEqual(CRC.crc32.checksum(text), 0xCBF4_3926)
        XCTAssertEqual(CRC.crc32C.checksum(text), 0xE306_9283)
    }

    /// CRC-24/OPENPGP and CRC-12/DECT's neighbours: widths that are no whole number of bytes, or three.
    func testChecksum_ofOtherWidths() {
        let text = "123456789".utf8
        let openPGP = CRC(width: 24, polynomial: 0x86_4CFB, initial: 0xB7_04CE)
        XCTAssertEqual(openPGP.checksum(text), 0x21_CF02)
        let dect = CRC(width: 12, polynomial: 0x80F)
        XCTAssertEqual(dect.checksum(text), 0xF5B)
        let bluetooth = CRC(width: 24, polynomial: 0x00_065B, initial: 0x55_5555, isReflected: true)
        XCTAssertEqual(bluetooth.checksum(text), 0xC2_5A56)
    }

    func testChecksum_ofNothing_isTheInitialValue() {
        XCTAssertEqual(CRC.crc8.checksum([]), 0)
        XCTAssertEqual(CRC.crc16CCITT.checksum([]), 0xFFFF)
        XCTAssertEqual(CRC.crc32.checksum([]), 0)
    }

    func testWidth_outOfRange_isTheNearestOne() {
        XCTAssertEqual(CRC(width: 3, polynomial: 0x07), CRC.crc8)
        XCTAssertEqual(CRC(width: 64, polynomial: 1).width, 32)
    }
}
