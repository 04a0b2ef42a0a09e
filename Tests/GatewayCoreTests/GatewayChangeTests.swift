import XCTest

@testable import GatewayCore
@testable import JSON

final class GatewayChangeTests: XCTestCase {
    private func settings(_ baud: Double, adopted: [String] = []) -> ComponentSettings {
        ComponentSettings(
            ConfigurationNode(path: "x", value: .object(["baud": .number(baud)])), adopted: adopted)
    }

    func testInit_sortsWhatIsWanted_inItsOrder() {
        let change = GatewayChange(
            from: [("a", settings(1)), ("b", settings(1)), ("c", settings(1))],
            to: [("d", settings(1)), ("c", settings(2)), ("a", settings(1))])
        XCTAssertEqual(change.kept, ["a"])
        XCTAssertEqual(change.changed, ["c"])
        XCTAssertEqual(change.added, ["d"])
        XCTAssertEqual(change.removed, ["b"])
        XCTAssertFalse(change.isEmpty)
    }

    func testInit_ofTheSame_isEmpty() {
        let parts = [("a", settings(1)), ("b", settings(2))]
        XCTAssertTrue(GatewayChange(from: parts, to: parts).isEmpty)
    }

    func testSettings_differWithWhatIsAdopted_whereThatMatters() {
        XCTAssertNotEqual(settings(1, adopted: ["D0:…"]), settings(1))
    }

    func testRetention_ofOneThatAdapts_movesIt() {
        var change = GatewayChange(from: [("a", settings(1))], to: [("a", settings(2))])
        change.keep("a")
        XCTAssertEqual(change.kept, ["a"])
        XCTAssertTrue(change.isEmpty)
    }
}
