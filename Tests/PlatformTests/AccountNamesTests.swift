import GatewayTesting
import Glibc
import XCTest

@testable import Platform

final class AccountNamesTests: XCTestCase {
    func testAccountNames_areThoseOfTheSystem() {
        XCTAssertEqual(AccountNames.user(0), "root")
        XCTAssertEqual(AccountNames.group(0), "root")
        XCTAssertEqual(AccountNames.user(4_000_000_000), "4000000000")
        XCTAssertNil(AccountNames.group(4_000_000_000))
        XCTAssertEqual(AccountNames.number(ofUser: "root"), 0)
        XCTAssertNil(AccountNames.number(ofUser: "no such user"))
        XCTAssertNil(AccountNames.number(ofUser: "root\0"))
    }

    func testJoinableGroup_isReadFromTheList_butNeverRoots() throws {
        let folder = try TemporaryFolder()
        let members = (0..<5_000).map { "member\($0)" }.joined(separator: ",")
        let path = try folder.write(
            Array(
                """
                root:x:0:
                no entry
                large:x:19:\(members)
                dialout:x:20:me

                """.utf8), to: "group")

        XCTAssertNil(AccountNames.joinableGroup(0, file: path))
        XCTAssertEqual(AccountNames.joinableGroup(20, file: path), "dialout")
        XCTAssertNil(AccountNames.joinableGroup(21, file: path))
        XCTAssertNil(AccountNames.joinableGroup(20, file: folder.path("missing")))
        XCTAssertEqual(AccountNames.localUser(20, file: path), "dialout")
        XCTAssertNil(AccountNames.localUser(21, file: path))
    }

    func testServiceUnit_isThatOfTheProcessItself() {
        func unit(_ groups: String, _ variables: [String: String]) -> ServiceUnit? {
            ServiceUnit(Environment(variables: variables), processID: 42, groups: groups)
        }
        let own = ["SYSTEMD_EXEC_PID": "42"]
        let system = "0::/system.slice/pulsegate.service\n"
        XCTAssertEqual(unit(system, own), .system("pulsegate"))
        XCTAssertEqual(unit(system, ["NOTIFY_SOCKET": "/run/n"]), .system("pulsegate"))
        // What a service starts inherits its variables.
        XCTAssertNil(unit(system, ["SYSTEMD_EXEC_PID": "41"]))
        XCTAssertNil(unit(system, [:]))
        XCTAssertEqual(
            unit(
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/pulsegate.service", own),
            .user(1_000))
        XCTAssertNil(unit("0::/user.slice/user-1000.slice/session-3.scope\n", own))
        XCTAssertEqual(
            unit("4:cpu:/\n1:name=systemd:/system.slice/a@1.service", own), .system("a@1"))
        XCTAssertNil(unit("", own))
    }

    func testVariablesForPrograms_areThoseOfTheUserThatTheProcessHasBecome() {
        let variables = [
            "HOME": "/home/other", "USER": "other", "LOGNAME": "other", "TMPDIR": "/tmp/other",
            "XDG_CONFIG_HOME": "/home/other/.config", "LANG": "C",
        ]
        XCTAssertEqual(Environment(variables: variables).forPrograms, variables)
        XCTAssertEqual(Environment(variables: variables, of: geteuid()).forPrograms, variables)
        var own = Environment(variables: variables, of: geteuid() + 1).forPrograms
        own["XDG_RUNTIME_DIR"] = nil
        let account = AccountNames.account(geteuid())
        var expected = ["LANG": "C"]
        expected["HOME"] = account?.home
        expected["USER"] = account?.name
        expected["LOGNAME"] = account?.name
        XCTAssertEqual(own, expected)
    }
}
