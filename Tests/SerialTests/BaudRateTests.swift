import GatewayCore
import Glibc
import JSON
import XCTest

@testable import Serial

final class BaudRateTests: XCTestCase {
    private func read(_ value: JSONValue) throws(ConfigurationError) -> BaudRate {
        try BaudRate(ConfigurationNode(path: "sources.foot.protocol.baud", value: value))
    }

    func testInit_whenStandard_isThatRate() throws {
        XCTAssertEqual(try read(.number(9600)), .baud9600)
        XCTAssertEqual(try read(.number(500_000)), .baud500000)
    }

    func testInit_whenNoRate_namesTheNearest() {
        XCTAssertThrowsError(try read(.number(9601))) { error in
            XCTAssertEqual(
                "\(error)",
                "sources.foot.protocol.baud: 9601 is not a supported baud rate; "
                    + "the nearest is 9600")
        }
    }

    func testInit_whenNoWholePositiveNumber_isRejected() {
        for number in [0, -9600, 9600.5, 1e300, 4_000_001] {
            XCTAssertThrowsError(try read(.number(number)), "\(number)")
        }
        XCTAssertThrowsError(try read(.string("9600")))
    }

    func testNearest_atEitherEndAndBetween() {
        XCTAssertEqual(BaudRate.nearest(to: 1), .baud300)
        XCTAssertEqual(BaudRate.nearest(to: 450), .baud300)
        XCTAssertEqual(BaudRate.nearest(to: 250_000), .baud230400)
        XCTAssertEqual(BaudRate.nearest(to: 3_999_999), .baud4000000)
    }

    func testConfigure_setsEveryRate() throws {
        let constants: [BaudRate: Int32] = [
            .baud300: B300, .baud9600: B9600, .baud115200: B115200, .baud500000: B500000,
            .baud4000000: B4000000,
        ]
        let terminal = try PseudoTerminal()
        let descriptor = try TerminalDescriptor.open(
            terminal.slavePath, settings: LineSettings(baud: .baud9600))
        var speeds: Set<speed_t> = []
        for rate in BaudRate.allCases {
            try descriptor.configure(LineSettings(baud: rate))
            var attributes = termios()
            XCTAssertEqual(tcgetattr(descriptor.number, &attributes), 0)
            XCTAssertEqual(cfgetispeed(&attributes), cfgetospeed(&attributes))
            if let constant = constants[rate] {
                XCTAssertEqual(cfgetospeed(&attributes), speed_t(constant))
            }
            speeds.insert(cfgetospeed(&attributes))
        }
        XCTAssertEqual(speeds.count, BaudRate.allCases.count)
    }
}
