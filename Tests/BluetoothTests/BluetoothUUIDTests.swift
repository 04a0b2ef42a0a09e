import GatewayCore
import Readings
import XCTest

@testable import Bluetooth

final class BluetoothUUIDTests: XCTestCase {
    private let long = "0000180d-0000-1000-8000-00805f9b34fb"

    func testEquality_ofTheShortAndTheLongForm_holds() {
        for text in ["180d", "180D", "0000180D", long, long.uppercased()] {
            XCTAssertEqual(BluetoothUUID(text), BluetoothUUID(0x180D), text)
            XCTAssertEqual(BluetoothUUID(text).hashValue, BluetoothUUID("180d").hashValue, text)
        }
    }

    func testEquality_ofDifferentNumbers_doesNotHold() {
        let other = "0000180d-0000-1000-8000-00805f9b34fc"
        for text in ["180e", "0001180d", other, "1000180d-0000-1000-8000-00805f9b34fb"] {
            XCTAssertNotEqual(BluetoothUUID(text), BluetoothUUID(0x180D), text)
        }
    }

    func testInit_from128Bits_isTheSameAsFromText() {
        let number: UInt128 = 0x5B76_0001_B423_491B_AECA_4A16_8AB3_E1EB
        XCTAssertEqual(
            BluetoothUUID(long: number), BluetoothUUID("5b760001-b423-491b-aeca-4a168ab3e1eb"))
        let heartRate: UInt128 = 0x0000_180D_0000_1000_8000_0080_5F9B_34FB
        XCTAssertEqual(BluetoothUUID(long: heartRate), BluetoothUUID(0x180D))
    }

    func testInit_fromWhatIsNoUUID_returnsNil() {
        let strings = [
            "", "180", "180dd", "18 d", "0x18", "180g", "+80d", "é8d",
            "0000180d00001000800000805f9b34fb", "0000180d-0000-1000-8000-00805f9b34f",
            "0000180d-0000-1000-8000-00805f9b34fb0", "0000180d-0000-1000-80000-0805f9b34fb",
            "0000180g-0000-1000-8000-00805f9b34fb", "0000180d-0000-1000-8000-00805f9b34f-",
        ]
        for string in strings {
            XCTAssertNil(BluetoothUUID(string), string)
        }
    }

    func testDescription_isTheLongFormInLowerCase() {
        let custom = "fb005c80-02e7-f387-1cad-8acd2d8df0c8"
        XCTAssertEqual(BluetoothUUID(0x180D).description, long)
        XCTAssertEqual(BluetoothUUID(custom.uppercased())?.description, custom)
    }

    func testShort_isThereOnlyForAssignedNumbers() {
        XCTAssertEqual(BluetoothUUID(long)?.short, 0x180D)
        XCTAssertNil(BluetoothUUID("0001180d")?.short)
        XCTAssertNil(BluetoothUUID("fb005c80-02e7-f387-1cad-8acd2d8df0c8")?.short)
        XCTAssertNil(BluetoothUUID("0000180d-0000-1000-8000-00805f9b34fc")?.short)
    }

    func testChannel_namesTheCharacteristicInOneWay() {
        XCTAssertEqual(Channel(BluetoothUUID(0x180D)), Channel(long.uppercased()))
    }
}
