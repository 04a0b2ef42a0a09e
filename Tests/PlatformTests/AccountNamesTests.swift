import GatewayTesting
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
    }
}
