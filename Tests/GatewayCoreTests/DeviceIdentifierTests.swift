import XCTest

@testable import GatewayCore

final class DeviceIdentifierTests: XCTestCase {
    func testInit_ofAnAddress_isInUpperCase() {
        let identifier = DeviceIdentifier("d0:1f:22:aB:44:55")
        XCTAssertEqual(identifier?.description, "D0:1F:22:AB:44:55")
        XCTAssertEqual(identifier?.isPort, false)
        XCTAssertEqual(identifier, DeviceIdentifier("D0:1F:22:AB:44:55"))
    }

    func testInit_ofAPort_isAsWritten() {
        for path in [
            "/dev/ttyUSB0", "/dev/pts/3", "/dev/serial/by-id/usb-FTDI_A.B-if00", "/dev/ttyÄ",
        ] {
            XCTAssertEqual(DeviceIdentifier(path)?.description, path)
            XCTAssertEqual(DeviceIdentifier(path)?.isPort, true)
        }
        let longest =
            "/dev/" + String(repeating: "x", count: DeviceIdentifier.maximumPathLength - 5)
        XCTAssertNotNil(DeviceIdentifier(longest))
        XCTAssertNil(DeviceIdentifier(longest + "x"))
    }

    func testInit_ofAnythingElse_isNil() {
        let texts = [
            "", "D0", "D0:11:22:33:44", "D0:11:22:33:44:55:66", "D0:11:22:33:44:5G",
            "D0-11-22-33-44-55", "D0:11:22:33:44:5", ":D011:22:33:44:55", "D0:11:22:33:44:55 ",
            "D0:11:22:33:44:5é", "ttyUSB0", "/", "/dev", "/dev/", "/dev//ttyUSB0", "/dev/ttyUSB0/",
            "/dev/../etc/passwd", "/dev/./ttyUSB0", "/etc/passwd", "/dev/tty\0", "/dev/tty\n",
            "/dev/\u{202E}tty", "dev/ttyUSB0",
        ]
        for text in texts { XCTAssertNil(DeviceIdentifier(text), text) }
    }
}
