import Foundation
import XCTest

/// Tests that the Grafana dashboards can be imported, and that their panels are complete.
final class DashboardTests: XCTestCase {
    private typealias Object = [String: Any]

    private struct Board {
        let path: String
        let object: Object

        var panels: [Object] { object["panels"] as? [Object] ?? [] }
        var variables: [Object] {
            (object["templating"] as? Object)?["list"] as? [Object] ?? []
        }
    }

    private func boards() throws -> [Board] {
        let paths = try Repository.paths(in: "plugins").filter {
            $0.contains("/Grafana/") && $0.hasSuffix(".json")
        }
        XCTAssertEqual(paths.count, 3, "\(paths)")
        return try paths.map { path in
            let data = try Data(contentsOf: Repository.root.appending(path: path))
            let object = try JSONSerialization.jsonObject(with: data) as? Object
            return Board(path: path, object: try XCTUnwrap(object, path))
        }
    }

    /// Grafana 10.0 has version 38; later ones convert it.
    func testBoards_canBeImported() throws {
        let boards = try boards()
        for board in boards {
            XCTAssertEqual(board.object["schemaVersion"] as? Int, 38, board.path)
            XCTAssertTrue(board.object["id"] is NSNull, "\(board.path): an id of another Grafana")
            XCTAssertEqual(board.variables.first?["type"] as? String, "datasource", board.path)
            XCTAssertFalse((board.object["description"] as? String ?? "").isEmpty, board.path)
        }
        let identifiers = boards.compactMap { $0.object["uid"] as? String }
        XCTAssertEqual(Set(identifiers).count, boards.count)
        // Grafana's limit.
        XCTAssertTrue(identifiers.allSatisfy { (1...40).contains($0.count) }, "\(identifiers)")
    }

    func testPanels_haveADescriptionAUnitAndTheChosenDataSource() throws {
        for board in try boards() {
            for panel in board.panels where panel["type"] as? String != "row" {
                let title = "\(board.path): \(panel["title"] ?? "a panel without a title")"
                XCTAssertFalse((panel["description"] as? String ?? "").isEmpty, title)
                let defaults = (panel["fieldConfig"] as? Object)?["defaults"] as? Object
                XCTAssertNotNil(defaults?["unit"] as? String, title)
                let steps = (defaults?["thresholds"] as? Object)?["steps"] as? [Object]
                XCTAssertTrue(steps?.first?["value"] is NSNull, "\(title): the lowest threshold")
                let targets = panel["targets"] as? [Object] ?? []
                XCTAssertFalse(targets.isEmpty, title)
                for part in [panel] + targets {
                    let source = part["datasource"] as? Object
                    XCTAssertEqual(source?["uid"] as? String, "${datasource}", title)
                }
                let letters = targets.compactMap { $0["refId"] as? String }
                XCTAssertEqual(Set(letters).count, targets.count, title)
            }
        }
    }

    func testPanels_doNotOverlap() throws {
        for board in try boards() {
            var taken: Set<[Int]> = []
            var identifiers: Set<Int> = []
            for panel in board.panels {
                XCTAssertTrue(identifiers.insert(panel["id"] as? Int ?? 0).inserted, board.path)
                let place = try XCTUnwrap(panel["gridPos"] as? [String: Int], board.path)
                let (x, y) = (place["x"] ?? -1, place["y"] ?? -1)
                let (width, height) = (place["w"] ?? 0, place["h"] ?? 0)
                XCTAssertTrue(x >= 0 && width > 0 && x + width <= 24, "\(board.path): \(place)")
                for row in y..<y + height {
                    for column in x..<x + width {
                        XCTAssertTrue(
                            taken.insert([row, column]).inserted,
                            "\(board.path): \(panel["title"] ?? "")")
                    }
                }
            }
        }
    }
}
