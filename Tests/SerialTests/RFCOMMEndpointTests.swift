import GatewayCore
import XCTest

@testable import Serial

final class RFCOMMEndpointTests: XCTestCase {
    func testInit_readsSixPairsInEitherCase() throws {
        let endpoint = try XCTUnwrap(RFCOMMEndpoint(address: "00:07:80:aB:cd:0F"))
        XCTAssertEqual(endpoint.address.bytes, [0x00, 0x07, 0x80, 0xAB, 0xCD, 0x0F])
        XCTAssertEqual(endpoint.address.description, "00:07:80:AB:CD:0F")
        XCTAssertEqual(endpoint.channel, 1)
    }

    func testInit_whenItIsNoAddress_isNil() {
        let texts = [
            "", "00:07:80:12:34", "00:07:80:12:34:56:78", "00:07:80:12:34:5", "0:07:80:12:34:56",
            "00-07-80-12-34-56", "000780123456", "00:07:80:12:34:5g", " 00:07:80:12:34:56",
            "00:07:80:12:34:56 ", "00:07:80:12:34:+5", "00:07:80:12::56", ":00:07:80:12:34:56",
            "００:07:80:12:34:56", "00:07:80:12:34:56\0",
        ]
        for text in texts { XCTAssertNil(RFCOMMEndpoint(address: text), text) }
    }

    func testInit_whenThereIsNoSuchChannel_isNil() {
        let address = "00:07:80:12:34:56"
        for channel in [0, -1, 31, 256] {
            XCTAssertNil(RFCOMMEndpoint(address: address, channel: channel), "\(channel)")
        }
        for channel in [1, 30] {
            XCTAssertEqual(
                RFCOMMEndpoint(address: address, channel: channel)?.channel, channel)
        }
    }
}
