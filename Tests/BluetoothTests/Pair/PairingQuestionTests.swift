import DBus
import GatewayCore
import XCTest

@testable import Bluetooth
@testable import BluetoothSetup

/// What the user is asked, and what a typed line means.
final class PairingQuestionTests: XCTestCase {
    func testPasskey_hasOneToSixDigits() {
        for (line, passkey) in [
            ("123456", 123_456), ("000042", 42), (" 7 \t", 7), ("999999", 999_999), ("0", 0),
        ] {
            XCTAssertEqual(
                PairingQuestion.passkey.answer(to: line), .passkey(UInt32(passkey)), line)
        }
        for line in ["", "  ", "1234567", "12a456", "-1", "+12", "１２３４５６", "12 34"] {
            XCTAssertNil(PairingQuestion.passkey.answer(to: line), line)
        }
    }

    func testPIN_hasOneToSixteenBytes() {
        XCTAssertEqual(PairingQuestion.pinCode.answer(to: " 0000 "), .pinCode("0000"))
        XCTAssertEqual(PairingQuestion.pinCode.answer(to: "a b"), .pinCode("a b"))
        let longest = String(repeating: "9", count: 16)
        XCTAssertEqual(PairingQuestion.pinCode.answer(to: longest), .pinCode(longest))
        XCTAssertNil(PairingQuestion.pinCode.answer(to: longest + "9"))
        XCTAssertNil(PairingQuestion.pinCode.answer(to: " "))
        XCTAssertNil(PairingQuestion.pinCode.answer(to: String(repeating: "é", count: 9)))
    }

    func testComparison_isYesOrNo() {
        let question = PairingQuestion.comparison(42)
        XCTAssertEqual(question.prompt, "does the device show 000042? [y/n] ")
        for line in ["y", "Yes", " YES "] {
            XCTAssertEqual(question.answer(to: line), .accept, line)
        }
        for line in ["n", "No"] { XCTAssertEqual(question.answer(to: line), .reject, line) }
        for line in ["", "yess", "42"] { XCTAssertNil(question.answer(to: line), line) }
    }

    func testAgentQuestion_ofMalformedCalls_isNil() {
        let device = BusValue.objectPath("/org/bluez/hci0/dev_1")
        let calls: [(String, [BusValue])] = [
            ("RequestPasskey", []), ("RequestPasskey", [.string("/org/bluez/hci0/dev_1")]),
            ("RequestPasskey", [device, .uint32(1)]), ("DisplayPasskey", [device]),
            ("DisplayPasskey", [device, .string("1")]), ("RequestConfirmation", [device]),
            ("AuthorizeService", [device]), ("Introspect", []), ("Anything", [device]),
        ]
        for (member, body) in calls { XCTAssertNil(AgentQuestion(member, body), member) }
        let shown = AgentQuestion("DisplayPasskey", [device, .uint32(1), .uint16(3)])
        XCTAssertEqual(shown?.kind, .shownPasskey(1))
    }

    func testPairFailure_namesTheReason() {
        let table: [(String, String)] = [
            ("AuthenticationFailed", "was not paired: authentication failed; put the device"),
            ("AuthenticationRejected", "was not paired: authentication failed; put the device"),
            ("AuthenticationCanceled", "pairing of D0:11:22:33:44:01 was canceled; move"),
            ("AuthenticationTimeout", "did not answer the pairing in time; put the device"),
            ("ConnectionAttemptFailed", "cannot connect to D0:11:22:33:44:01; switch it on"),
            ("Failed", "cannot pair D0:11:22:33:44:01: text (org.bluez.Error.Failed)"),
            ("NotReady", "cannot pair D0:11:22:33:44:01: text (org.bluez.Error.NotReady)"),
        ]
        for (name, expected) in table {
            let failure = PairFailure(
                .bluez(name, "text"), of: .ending(1), hasTerminal: true)
            guard case .final(let error) = failure else {
                XCTFail("\(name) is final")
                continue
            }
            XCTAssertTrue("\(error)".contains(expected), "\(error)")
        }
        for error: BusError in [
            .bluez("InProgress", "In Progress"), .failed("Operation already in progress"),
            .failed("le-connection-abort-by-local"),
            .remote(name: "org.freedesktop.DBus.Error.UnknownObject", message: ""),
        ] {
            XCTAssertEqual(
                PairFailure(error, of: .ending(1), hasTerminal: true), .retry, "\(error)")
        }
        XCTAssertEqual(
            PairFailure(.bluez("AlreadyExists", ""), of: .ending(1), hasTerminal: true),
            .isPaired)
    }
}
