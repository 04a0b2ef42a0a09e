import GatewayCore
import XCTest

final class BluetoothAddressTests: XCTestCase {
    func testInit_readsEitherCaseAndWritesUpperCase() throws {
        for text in ["d0:11:22:aa:bb:0c", "D0:11:22:AA:BB:0C", "d0:11:22:Aa:bB:0c"] {
            XCTAssertEqual(
                try XCTUnwrap(BluetoothAddress(text)).description, "D0:11:22:AA:BB:0C")
        }
    }

    func testInit_readsTheSmallestAndTheLargest() {
        for text in ["00:00:00:00:00:00", "FF:FF:FF:FF:FF:FF", "00:00:00:00:00:01"] {
            XCTAssertEqual(BluetoothAddress(text)?.description, text)
        }
    }

    func testInit_whenMalformed_isNil() {
        let texts = [
            "", ":", ":::::", "D0", "D0:11:22:33:44", "D0:11:22:33:44:55:66", "D0:11:22:33:44:5",
            "D0:11:22:33:44:555", "D0:11:22:33:44:", ":D0:11:22:33:44:55", "D0:11:22:33:44:55:",
            "D0:11::33:44:55", "D0-11-22-33-44-55", "D01122334455", "D0_11_22_33_44_55",
            " D0:11:22:33:44:55", "D0:11:22:33:44:55 ", "D0:11:22:33:44:55\n", "D0: 1:22:33:44:55",
            "+0:11:22:33:44:55", "-0:11:22:33:44:55", "D0:11:22:33:44:-0", "D0:11:22:33:44:+5",
            "G0:11:22:33:44:55", "0x:11:22:33:44:55", "D0:11:22:33:44:\u{FF15}5",
            "\u{E9}:11:22:33:44:55", "D0:11:22:33:44:5\u{301}", "hci0",
            String(repeating: "D0:", count: 10_000),
        ]
        for text in texts { XCTAssertNil(BluetoothAddress(text), text.debugDescription) }
    }

    func testInit_takesHexadecimalDigitsAndNothingElseAtEveryPlace() {
        let good = Array("D0:11:22:33:44:55".utf8)
        let digits = Set("0123456789abcdefABCDEF".utf8)
        for place in good.indices {
            for byte in UInt8(0)..<128 {
                var bytes = good
                bytes[place] = byte
                let isGood =
                    good[place] == UInt8(ascii: ":") ? byte == good[place] : digits.contains(byte)
                let address = BluetoothAddress(String(decoding: bytes, as: UTF8.self))
                XCTAssertEqual(address != nil, isGood, "\(byte) at \(place)")
            }
        }
    }

    func testBytes_areInTheOrderInWhichTheyAreWritten() {
        XCTAssertEqual(
            BluetoothAddress("D0:11:22:AA:BB:0C")?.bytes, [0xD0, 0x11, 0x22, 0xAA, 0xBB, 0x0C])
    }

    func testUsable_isWhatADeviceCanHave() {
        for (text, isUsable) in [
            ("00:00:00:00:00:00", false), ("FF:FF:FF:FF:FF:FF", false),
            ("00:00:00:00:00:01", true), ("FF:FF:FF:FF:FF:FE", true),
        ] {
            XCTAssertEqual(BluetoothAddress(text)?.isUsable, isUsable, text)
        }
    }

    func testResolvablePrivate_isARandomAddressThatBeginsWithZeroOne() {
        for (text, isResolvable) in [
            ("3F:FF:FF:FF:FF:FF", false), ("40:00:00:00:00:00", true),
            ("7F:FF:FF:FF:FF:FF", true), ("80:00:00:00:00:00", false),
            ("D0:11:22:33:44:55", false),
        ] {
            let address = BluetoothAddress(text)
            XCTAssertEqual(address?.isResolvablePrivate(.random), isResolvable, text)
            XCTAssertEqual(address?.isResolvablePrivate(.public), false, text)
        }
    }

    func testOrder_isThatOfTheTexts() {
        let texts = ["00:00:00:00:00:FF", "0A:00:00:00:00:00", "A0:00:00:00:00:00"]

        XCTAssertEqual(
            texts.reversed().compactMap { BluetoothAddress($0) }.sorted().map(\.description), texts)
    }
}
