import XCTest

/// The page for the wall in a real browser, on a screen of 1920 × 1080.
final class WallPageTests: XCTestCase {
    /// 80 mm on a screen of 40 inches, which is 886 mm wide.
    private static let readableDigits = 80.0 / 886 * 1_920
    /// The height of a digit of Liberation Sans, in sizes of the font.
    private static let digitHeight = 0.69

    func testWall_upTo40People_fillsTheScreenAndCutsNothing() async throws {
        for count in [1, 4, 12, 40] {
            let visit = try await self.visit(people(count))
            try await visit.browser.wait(
                for: "document.querySelectorAll('.tile').length === \(count)")
            try await visit.assertFits()
            let names: [String]? = try await visit.browser.evaluate(
                "[...document.querySelectorAll('.tile h2')].map((name) => name.textContent)")
            XCTAssertEqual(names, (0..<count).map { "person \($0)" })
            let cut: [String]? = try await visit.browser.evaluate(
                """
                [...document.querySelectorAll('.tile, .tile .rate, .tile .foot, .tile span')]
                  .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0
                    || part.closest('.tile').scrollHeight > part.closest('.tile').clientHeight)
                  .map((part) => part.outerHTML)
                """)
            XCTAssertEqual(cut, [], "\(count) people")
        }
    }

    func testWall_upTo4People_hasDigitsOf80Millimetres() async throws {
        for count in 1...4 {
            let visit = try await self.visit(people(count))
            try await visit.browser.wait(
                for: "document.querySelectorAll('.tile').length === \(count)")
            let size: Double? = try await visit.browser.evaluate(
                "parseFloat(getComputedStyle(document.querySelector('.tile .rate')).fontSize)")
            XCTAssertGreaterThan(
                try XCTUnwrap(size) * Self.digitHeight, Self.readableDigits)
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
            ["ada\n\n176\n\nZone 5, maximum\n92\u{a0}%\n\nbackup strap", "eva\n\nSignal lost"])
    }

    private func people(_ count: Int) -> [String] {
        (0..<count).map { PageScenes.measured("person \($0)", rate: 80 + $0 * 37 % 110) }
    }

    private func visit(_ people: [String]) async throws -> PageVisit {
        try await PageVisit("/wall", people: people, width: 1_920, height: 1_080)
    }
}
