import DBus
import XCTest

@testable import Bluetooth

final class ConnectFailureTests: XCTestCase {
    func testTexts_ofBlueZAndOfStrerror() {
        let table: [(String, ConnectFailure?)] = [
            ("le-connection-abort-by-local", .transient),
            ("br-connection-aborted-by-local", .transient),
            ("br-connection-canceled", .transient),
            ("Software caused connection abort", .transient),
            ("Operation already in progress", .underWay),
            ("le-connection-concurrent-connection-limit", .noSlot),
            ("br-connection-concurrent-connection-limit", .noSlot),
            ("Too many links", .noSlot),
            ("le-connection-adapter-not-powered", .notPowered),
            ("br-connection-adapter-not-powered", .notPowered),
            ("Network is down", .notPowered),
            ("le-connection-already-connected", nil),
            ("br-connection-already-connected", nil),
            ("le-connection-timeout", .other), ("le-connection-refused", .other),
            ("le-connection-busy", .other), ("le-connection-abort-by-remote", .other),
            ("le-connection-key-missing", .other), ("le-connection-unknown", .other),
            ("le-connection-not-supported", .other), ("br-connection-page-timeout", .other),
            ("br-connection-profile-unavailable", .other), ("Host is down", .other),
            ("Connection refused", .other), ("", .other),
        ]
        for (text, failure) in table {
            XCTAssertEqual(ConnectFailure(.failed(text)), failure, text)
        }
    }

    func testNames() {
        let table: [(String, ConnectFailure?)] = [
            ("org.bluez.Error.InProgress", .underWay),
            ("org.bluez.Error.NotReady", .notPowered),
            ("org.bluez.Error.AlreadyConnected", nil),
            ("org.bluez.Error.DoesNotExist", .gone),
            ("org.freedesktop.DBus.Error.UnknownObject", .gone),
            ("org.freedesktop.DBus.Error.UnknownMethod", .gone),
            ("org.bluez.Error.NotAvailable", .other),
            ("org.bluez.Error.AuthenticationFailed", .other),
            ("org.freedesktop.DBus.Error.NoReply", .other),
            ("", .other),
        ]
        for (name, failure) in table {
            XCTAssertEqual(ConnectFailure(.remote(name: name, message: "")), failure, name)
        }
    }

    func testWhatIsNotOfBlueZ_isOfNoKind() {
        let errors: [BusError] = [
            .timedOut, .disconnected, .failed(operation: "call", code: 5),
            .unavailable(address: "abort-by-local", code: 2),
        ]
        for error in errors { XCTAssertEqual(ConnectFailure(error), .other, "\(error)") }
    }
}
