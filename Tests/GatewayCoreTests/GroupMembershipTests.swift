import Platform
import XCTest

@testable import GatewayCore

final class GroupMembershipTests: XCTestCase {
    private func text(_ user: String?, _ unit: ServiceUnit?) -> String {
        "\(GroupMembership(user: user, unit: unit).remedy(joining: "dialout"))"
    }

    func testJoining_isForTheUserOfTheProcess_andBecomesEffectiveWithItsService() {
        XCTAssertEqual(
            text("ada", nil),
            "add the user to group dialout: sudo usermod -aG dialout ada, then log in again")
        XCTAssertEqual(text(nil, nil), "add the user to group dialout, then log in again")
        XCTAssertEqual(
            text("pulsegate", .system("pulsegate")),
            "add the user to group dialout: sudo usermod -aG dialout pulsegate && "
                + "sudo systemctl restart pulsegate")
        XCTAssertEqual(
            text("ada", .user(1_000)),
            "add the user to group dialout: sudo usermod -aG dialout ada && "
                + "sudo systemctl restart user@1000")
    }

    func testUserThatSystemdMakes_getsTheGroupFromTheUnit() {
        XCTAssertEqual(
            text(nil, .system("pulsegate")),
            "add the user to group dialout: sudo systemctl edit pulsegate, then add "
                + "SupplementaryGroups=dialout below [Service] and restart the service")
    }

    func testDeviceThatTheUnitDenies_isAllowedThere() {
        let service = GroupMembership(user: "pulsegate", unit: .system("pulsegate"))
        XCTAssertEqual(
            service.remedy(allowing: 240 << 8)?.description,
            "allow the port in the unit: sudo systemctl edit pulsegate, then add "
                + "DeviceAllow=char-240 rw below [Service] and restart the service")
        XCTAssertNil(GroupMembership(user: "ada", unit: nil).remedy(allowing: 240 << 8))
    }

    func testCommands_areQuotedForAShell() {
        let error = LinkError("p", remedy: Remedy("run", run: ["chmod", "+x", "/a b"], ["/a b"]))
        XCTAssertEqual("\(error)", "p; run: chmod +x '/a b' && '/a b'")
        XCTAssertEqual(error.with(problem: "q").commands, error.commands)
        XCTAssertNil(LinkError("p", remedy: "wait").commands)
    }
}
