import GatewayCore
import Glibc
import XCTest

@testable import Serial

final class RFCOMMErrorTests: XCTestCase {
    private let address = "00:07:80:12:34:56"

    private func endpoint() throws -> RFCOMMEndpoint {
        try XCTUnwrap(RFCOMMEndpoint(address: address, channel: 3))
    }

    func testMaking_whenTheSystemHasNoBluetooth_reportsIt() throws {
        for code in [EAFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT] {
            let error = RFCOMMError.socketFailure(try endpoint(), code: code)
            XCTAssertEqual(error, .notSupported(address: address))
        }
        XCTAssertEqual(
            RFCOMMError.socketFailure(try endpoint(), code: EMFILE),
            .failed(address: address, operation: "socket", code: EMFILE))
    }

    func testConnecting_sortsByRemedy() throws {
        let meanings: [(codes: [Int32], error: RFCOMMError)] = [
            ([EHOSTDOWN, ETIMEDOUT, ECONNRESET, ECONNABORTED], .noResponse(address: address)),
            ([ECONNREFUSED], .refused(address: address, channel: 3)),
            ([EACCES, EPERM, EBADE, ELOOP, EKEYREJECTED, ENOKEY], .notPaired(address: address)),
            ([EBUSY, EADDRINUSE], .busy(address: address, channel: 3)),
            ([ENETDOWN, EHOSTUNREACH, ENETUNREACH, ENODEV], .adapterOff(address: address)),
            ([EPROTO], .failed(address: address, operation: "connect", code: EPROTO)),
        ]
        for (codes, expected) in meanings {
            for code in codes {
                XCTAssertEqual(RFCOMMError.connectFailure(try endpoint(), code: code), expected)
            }
        }
    }

    func testConnected_whenTheLinkBroke_isLost() throws {
        for code in [ECONNRESET, ETIMEDOUT, EHOSTDOWN, ENOTCONN, EPIPE, ENETDOWN, EIO] {
            XCTAssertEqual(
                RFCOMMError.connectionFailure(try endpoint(), operation: "read", code: code),
                .lost(address: address), "\(code)")
        }
        XCTAssertEqual(
            RFCOMMError.connectionFailure(try endpoint(), operation: "read", code: EFAULT),
            .failed(address: address, operation: "read", code: EFAULT))
    }

    func testDescription_reportsTheRemedy() {
        let remedies: [(error: RFCOMMError, words: String)] = [
            (.noResponse(address: address), "switch it on"),
            (.refused(address: address, channel: 3), "`pair \(address)` in `bluetoothctl`"),
            (.refused(address: address, channel: 3), "refused the connection on channel 3"),
            (.notPaired(address: address), "`pair \(address)` in `bluetoothctl`"),
            (.busy(address: address, channel: 3), "`rfcomm -a`"),
            (.adapterOff(address: address), "`bluetoothctl power on`"),
            (.notSupported(address: address), "`sudo modprobe rfcomm`"),
            (.failed(address: address, operation: "connect", code: EPROTO), "Protocol error"),
        ]
        for (error, words) in remedies {
            XCTAssertTrue(error.description.contains(words), error.description)
            XCTAssertTrue(error.linkError.problem.hasPrefix("\(address): "), error.description)
        }
    }

    func testReason_whenLost_isShortandHasTheRemedyOfNoResponse() {
        let lost = SerialError.rfcomm(.lost(address: address))
        XCTAssertEqual(lost.reason, "connection lost")
        XCTAssertEqual(lost.linkError, RFCOMMError.noResponse(address: address).linkError)
    }
}
