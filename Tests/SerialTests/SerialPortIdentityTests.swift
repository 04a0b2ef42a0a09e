import XCTest

@testable import Serial

final class SerialPortIdentityTests: XCTestCase {
    private let first = SerialPortDescription(
        path: "/dev/ttyUSB0", vendor: "10c4", product: "ea60", serial: "0001", idPath: "usb-0:1")
    private let second = SerialPortDescription(
        path: "/dev/ttyUSB1", vendor: "10c4", product: "ea60", serial: "0002", idPath: "usb-0:2")
    private let twin = SerialPortDescription(
        path: "/dev/ttyUSB2", vendor: "10c4", product: "ea60", serial: "0001", idPath: "usb-0:3")
    private let board = SerialPortDescription(
        path: "/dev/ttyACM0", vendor: "2341", product: "0043", idPath: "usb-0:4")
    private let builtIn = SerialPortDescription(path: "/dev/ttyAMA0")

    func testIdentifier_reportsWhatMattersAndNothingElse() {
        let identifiers: [(identity: SerialPortIdentity, text: String)] = [
            (.init(vendor: "10c4", product: "ea60", serial: "0001"), "usb:10c4:ea60:0001"),
            (.init(vendor: "10c4", product: "ea60"), "usb:10c4:ea60"),
            (.init(serial: "A900"), "usb:*:*:A900"),
            (.init(product: "ea60"), "usb:*:ea60"),
            (.init(vendor: "10c4", idPath: "usb-0:1"), "usb:10c4:*@usb-0:1"),
            (.init(idPath: "usb-0:1"), "@usb-0:1"),
        ]
        for (identity, text) in identifiers { XCTAssertEqual(identity.identifier, text) }
    }

    func testMatches_needsEverythingThatIsReported() {
        XCTAssertTrue(SerialPortIdentity(vendor: "10c4", serial: "0001").matches(first))
        XCTAssertFalse(SerialPortIdentity(vendor: "10c4", serial: "0002").matches(first))
        XCTAssertFalse(SerialPortIdentity(vendor: "2341", serial: "0001").matches(first))
        XCTAssertTrue(SerialPortIdentity(idPath: "usb-0:4").matches(board))
        XCTAssertFalse(SerialPortIdentity(vendor: "2341", serial: "1").matches(board))
        XCTAssertFalse(SerialPortIdentity(vendor: "10c4").matches(builtIn))
    }

    func testOnlyMatch_whenThereIsNone_reportsWhatWasLookedFor() {
        let identity = SerialPortIdentity(vendor: "0403", product: "6001", serial: "A9")
        XCTAssertThrowsError(try identity.singleMatch(in: [first, board])) {
            XCTAssertEqual(
                "\($0)",
                "no port matches vendor 0403, product 6001, serial A9; plug in the device, or correct "
                    + "`port`")
        }
    }

    func testOnlyMatch_whenThereIsOne_isIt() throws {
        let identity = SerialPortIdentity(vendor: "10c4", serial: "0002")
        XCTAssertEqual(try identity.singleMatch(in: [first, second, board]), second)
    }

    func testOnlyMatch_whenThereAreSeveral_reportsWhatToAdd() {
        let advice: [(ports: [SerialPortDescription], text: String)] = [
            (
                [first, second],
                "/dev/ttyUSB0 and /dev/ttyUSB1 match vendor 10c4; add to `port` "
                    + "`serial`: \"0001\" (/dev/ttyUSB0) or \"0002\" (/dev/ttyUSB1)"
            ),
            (
                [first, twin],
                "/dev/ttyUSB0 and /dev/ttyUSB2 match vendor 10c4; add to `port` "
                    + "`idPath`: \"usb-0:1\" (/dev/ttyUSB0) or \"usb-0:3\" (/dev/ttyUSB2)"
            ),
        ]
        for (ports, text) in advice {
            XCTAssertThrowsError(try SerialPortIdentity(vendor: "10c4").singleMatch(in: ports)) {
                XCTAssertEqual("\($0)", text)
            }
        }
    }

    func testOnlyMatch_whenNothingTellsThemApart_namesThePath() {
        var other = first
        other.path = "/dev/ttyUSB9"
        XCTAssertThrowsError(
            try SerialPortIdentity(vendor: "10c4").singleMatch(in: [first, other])
        ) {
            XCTAssertEqual(
                "\($0)",
                "/dev/ttyUSB0 and /dev/ttyUSB9 match vendor 10c4; specify one by its path, as in "
                    + "`port: { path: \"/dev/ttyUSB0\" }`")
        }
    }

    func testIdentityAmong_isTheShortestThatNoOtherHas() {
        let ports = [first, second, twin, board, builtIn]
        let identities = ports.map { $0.identity(among: ports)?.identifier }
        XCTAssertEqual(
            identities,
            [
                "usb:10c4:ea60@usb-0:1", "usb:10c4:ea60:0002", "usb:10c4:ea60@usb-0:3",
                "usb:2341:0043", nil,
            ])
    }
}
