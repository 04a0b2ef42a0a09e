import GatewayCore
import Glibc
import Platform
import XCTest

@testable import Serial

final class SerialErrorTests: XCTestCase {
    func testDescription_whenMissing_reportsWhereToLook() {
        XCTAssertEqual(
            SerialError.noSuchPort(path: "/dev/ttyUSB0").description,
            "/dev/ttyUSB0: no such port; plug in the device, or look for it in "
                + "/dev/serial/by-id")
    }

    func testDescription_whenDeniedToAGroup_namesTheGroup() {
        XCTAssertEqual(
            SerialError.permissionDenied(path: "/dev/ttyUSB0", group: "dialout").description,
            "/dev/ttyUSB0: permission denied; add the user to group dialout: "
                + "sudo usermod -aG dialout $USER, then log in again")
    }

    func testDeniedPort_hasTheRemedyOfTheProcess() throws {
        var status = stat()
        status.st_gid = 0
        status.st_rdev = 188 << 8
        let service = GroupMembership(user: "pulsegate", unit: .system("pulsegate"))
        let denied = SerialError.permissionDenied(
            path: "/dev/ttyUSB0", code: EPERM, status, to: service)
        XCTAssertEqual(
            denied.linkError.commands?.commandLine, "sudo systemctl edit pulsegate")
        XCTAssertTrue(denied.description.contains("DeviceAllow=char-188 rw"), denied.description)
        // The group of root is for nobody.
        let closed = SerialError.permissionDenied(
            path: "/dev/ttyUSB0", code: EACCES, status, to: service)
        XCTAssertTrue(closed.description.contains("udev rule"), closed.description)
        status.st_gid = 5
        let grouped = SerialError.permissionDenied(
            path: "/dev/ttyUSB0", code: EACCES, status, to: service)
        XCTAssertEqual(
            grouped.linkError.commands?.commandLine,
            "sudo usermod -aG tty pulsegate && sudo systemctl restart pulsegate")
    }

    func testDescription_whenNoGroupMayUseIt_namesTheRule() {
        let error = SerialError.permissionDenied(path: "/dev/ttyUSB0", group: nil)
        XCTAssertFalse(error.description.contains("usermod"))
        XCTAssertTrue(error.description.contains("udev"))
    }

    func testDescription_alwaysNamesThePort() {
        let path = "/dev/ttyACM3"
        let errors: [SerialError] = [
            .noSuchPort(path: path), .permissionDenied(path: path, group: nil), .busy(path: path),
            .notASerialPort(path: path), .writeTimedOut(path: path),
            .notOpen(path: path), .failed(path: path, operation: "tcsetattr", code: EINVAL),
        ]
        for error in errors {
            XCTAssertTrue(error.linkError.problem.hasPrefix("\(path): "), error.description)
        }
        XCTAssertEqual(Set(errors.map(\.description)).count, errors.count)
        let unplugged = SerialError.unplugged(path: path)
        XCTAssertEqual(unplugged.description, SerialError.noSuchPort(path: path).description)
        XCTAssertEqual(unplugged.reason, "unplugged")
    }

    func testDescription_whenSystemRefuses_reportsItsWords() {
        XCTAssertEqual(
            SerialError.failed(path: "/dev/ttyS0", operation: "tcsetattr", code: EINVAL)
                .description,
            "/dev/ttyS0: tcsetattr: Invalid argument")
    }
}
