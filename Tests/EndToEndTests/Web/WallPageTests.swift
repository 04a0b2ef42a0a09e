import XCTest

/// The page for the wall in a real browser, on a screen of 1920 × 1080.
final class WallPageTests: PageTestCase {
    /// The height of the screen in pixels for each millimetre, with 40 inches (886 mm wide).
    private static let pixels = 1_920.0 / 886
    /// The height of a digit of Liberation Sans, in sizes of the font.
    private static let digitHeight = 0.69
    /// How high the digits are at least for so many people, in millimetres.
    private static let digits = [1: 200.0, 2: 120, 4: 110, 8: 80, 12: 70, 40: 38]

    func testWall_upTo40People_fillsTheScreenAndHasLargeDigits() async throws {
        let visit = try await self.visit(people(1))
        for (count, millimetres) in Self.digits {
            try await visit.reopen("/wall", people: people(count))
            try await visit.browser.wait(
                for: "document.querySelectorAll('.tile').length === \(count)")
            try await visit.assertFits()
            let names: [String]? = try await visit.browser.evaluate(
                "[...document.querySelectorAll('.tile h2')].map((name) => name.textContent)")
            XCTAssertEqual(names, (0..<count).map { "person \($0)" })
            let size: Double? = try await visit.browser.evaluate(
                "parseFloat(getComputedStyle(document.querySelector('.tile .rate')).fontSize)")
            let height = try XCTUnwrap(size) * Self.digitHeight / Self.pixels
            XCTAssertGreaterThan(height, millimetres, "mm for \(count) people")
            let faults = try await visit.browser.layoutFaults()
            XCTAssertEqual(faults, [], "\(count) people")
        }
    }

    func testWall_showsOnlyWhoAgreed_andWordsForWhatIsMissing() async throws {
        let visit = try await self.visit([
            PageScenes.measured("ada", rate: 176, backup: true),
            PageScenes.measured("bob", isOnWall: false), PageScenes.missing("lost", "eva"),
        ])
        try await visit.browser.wait(for: ".tile", text: "ada")
        let tiles: [String]? = try await visit.browser.evaluate(
            "[...document.querySelectorAll('.tile')].map((tile) => tile.innerText)")
        XCTAssertEqual(
            tiles,
            ["ada\n\nBackup strap\n\n176\n\nZone 5, maximum\n92\u{a0}%", "eva\n\nSignal lost"])
    }

    private func people(_ count: Int) -> [String] {
        (0..<count).map { PageScenes.measured("person \($0)", rate: 80 + $0 * 37 % 110) }
    }

    private func visit(_ people: [String]) async throws -> PageVisit {
        try await PageVisit("/wall", people: people, width: 1_920, height: 1_080)
    }
}
