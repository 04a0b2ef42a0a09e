import ByteDecoding
import HealthModel
import XCTest

@testable import Bluetooth

final class DeviceInformationTests: XCTestCase {
    func testDecode_eachStringNamesItsPartOfTheDevice() throws {
        let cases: [(UInt16, Device)] = [
            (0x2A29, Device(manufacturer: "ab")), (0x2A24, Device(model: "ab")),
            (0x2A27, Device(hardwareVersion: "ab")), (0x2A26, Device(firmwareVersion: "ab")),
            (0x2A28, Device(softwareVersion: "ab")), (0x2A25, Device(serial: "ab")),
        ]
        for (short, device) in cases {
            let decoded = try DeviceInformation.decode([0x61, 0x62], of: BluetoothUUID(short))
            XCTAssertEqual(decoded, device, String(short, radix: 16))
        }
        XCTAssertEqual(cases.count, DeviceInformation.characteristics.count)
    }

    func testDecode_ofAnotherCharacteristic_throws() {
        XCTAssertThrowsError(try DeviceInformation.decode([0x61], of: .batteryLevel)) { error in
            XCTAssertEqual(error as? ByteDecodingError, .unknown)
        }
    }

    func testDecode_removesPaddingAndControlCharacters() throws {
        XCTAssertEqual(try model("Polar H10\0\0"), "Polar H10")
        XCTAssertEqual(try model("Polar H10 \0 "), "Polar H10")
        XCTAssertEqual(try model("\u{1B}[31mH10\n"), "[31mH10")
        XCTAssertEqual(try model("H\u{202E}10\u{2028}"), "H10")
        XCTAssertEqual(try model("Ä 😀"), "Ä 😀")
    }

    func testDecode_whenNothingIsLeft_returnsNothing() throws {
        XCTAssertNil(try model(""))
        XCTAssertNil(try model(" \0\0"))
    }

    func testDecode_whenItIsNoUTF8_throws() {
        for bytes: [UInt8] in [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
            XCTAssertThrowsError(try DeviceInformation.decode(bytes, of: .modelNumber)) { error in
                XCTAssertEqual(error as? ByteDecodingError, .invalid)
            }
        }
    }

    func testDecode_keepsNoMoreThanALineOfText() throws {
        let kept = try model(String(repeating: "é", count: 512))
        XCTAssertEqual(kept, String(repeating: "é", count: DeviceInformation.maximumTextLength))
    }

    private func model(_ text: String) throws -> String? {
        try DeviceInformation.decode(Array(text.utf8), of: .modelNumber)?.model
    }
}
