import GatewayTesting
import Glibc
import XCTest

@testable import Serial

final class PortNodeTests: XCTestCase {
    func testMayBePort_ofTerminals_andOfWhatIsNotThereYet() throws {
        let terminal = try PseudoTerminal()
        XCTAssertTrue(PortNode.mayBePort(terminal.slavePath))
        XCTAssertTrue(PortNode.mayBePort("/dev/ttyUSB999"))
    }

    func testMayBePort_ofAnythingElse_isFalse() throws {
        let folder = try TemporaryFolder()
        XCTAssertFalse(PortNode.mayBePort(folder.path))
        XCTAssertFalse(PortNode.mayBePort(try folder.write([], to: "file")))
    }

    func testMayBePort_ofAnotherDevice_isFalse() throws {
        guard access("/sys/dev/char/1:3/subsystem", F_OK) == 0 else { throw XCTSkip("needs /sys") }
        let folder = try TemporaryFolder()
        symlink("/dev/null", folder.path("link"))
        for path in ["/dev/null", folder.path("link")] {
            XCTAssertFalse(PortNode.mayBePort(path), path)
        }
    }
}
