import Bluetooth
import GatewayCore
import Serial
import XCTest

@testable import Doctor

/// The command in what the gateway says that there is to do.
final class FixTests: XCTestCase {
    func testRemedies_ofTheGateway_becomeCommands() {
        let remedies = [
            "start it: sudo systemctl start bluetooth": "sudo systemctl start bluetooth",
            "unblock it: rfkill unblock bluetooth && bluetoothctl power on":
                "rfkill unblock bluetooth && bluetoothctl power on",
            "add the user to group dialout: sudo usermod -aG dialout $USER, then log in again":
                "sudo usermod -aG dialout $USER  # then log in again",
            "set it: `pulsegate secret set web`": "pulsegate secret set web",
            "run chmod 600 /a/b": "chmod 600 /a/b",
        ]
        for (remedy, text) in remedies {
            let fix = Fix(remedy: remedy)
            XCTAssertEqual(fix.text, text)
            XCTAssertNotNil(fix.command)
        }
    }

    func testRemedies_withoutACommand_areInstructions() {
        for remedy in [
            "plug it in and check with `bluetoothctl list`", "move the device closer",
            "enable NTP (`timedatectl set-ntp true`) or set the clock (`date -s`)",
            "stop that program: `fuser -v /dev/ttyUSB0` shows its process", "",
        ] {
            XCTAssertEqual(Fix(remedy: remedy), Fix(instruction: remedy))
        }
    }

    func testReasons_areSplitAtTheirRemedy() {
        let address = "D0:11:22:33:44:55"
        let reasons: [(reason: String, problem: String, fix: String)] = [
            (
                BlueZProblem.notRunning.description, "bluetoothd is not running",
                "sudo systemctl start bluetooth"
            ),
            (
                "needs pairing: pulsegate pair \(address)", "needs pairing",
                "pulsegate pair \(address)"
            ),
            (
                "needs pairing again: bluetoothctl remove \(address), then pulsegate pair \(address)",
                "needs pairing again",
                "bluetoothctl remove \(address); pulsegate pair \(address)"
            ),
            (
                "link lost; the device may need pairing: pulsegate pair \(address)",
                "link lost; the device may need pairing", "pulsegate pair \(address)"
            ),
            (
                "https://a/: status 401: the token is not accepted; correct the secret in /a/b",
                "https://a/: status 401: the token is not accepted", "correct the secret in /a/b"
            ),
            (
                "/a; b: x is accessible to other users; run chmod 600 '/a; b: sudo x, then sudo y'",
                "/a; b: x is accessible to other users", "chmod 600 '/a; b: sudo x, then sudo y'"
            ),
            ("it broke", "it broke", "look"),
        ]
        for (reason, problem, text) in reasons {
            let (found, fix) = Fix.split(reason, otherwise: "look")
            XCTAssertEqual(found, problem)
            XCTAssertEqual(fix.text, text)
        }
    }
}
