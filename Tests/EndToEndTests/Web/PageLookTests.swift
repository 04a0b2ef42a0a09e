import HTTPTesting
import XCTest

/// The look of every page in every state: nothing overlaps, is cut or too small for a thumb, and axe-core
/// finds nothing, in the dark with English texts and in the light with German ones.
final class PageLookTests: PageTestCase {
    /// A page in a state.
    private struct Look {
        let path: String
        let scene: ScriptedPages.Scene
        /// True when the page shows what it has.
        let isReady: String
        /// What happens before somebody looks.
        var script = ""
        /// True when that has happened.
        var isDone = "true"
        var isOffline = false
        var size = (width: 360, height: 640)
    }

    func testPhone() async throws {
        let running = PageScenes.workout(advice: "faster")
        let paused = PageScenes.workout("paused", advice: "slower")
        try await look(at: [
            phone([PageScenes.measured()]),
            phone([PageScenes.measured(), PageScenes.measured("bob")], script: "start.focus()"),
            phone([PageScenes.measured(rate: 176, backup: true, workout: running)]),
            phone(
                [PageScenes.measured(workout: paused)],
                script: "document.querySelector('#stop').click()"),
            phone([PageScenes.missing("waiting")]),
            phone([PageScenes.missing("noContact", workout: running)]),
            phone([PageScenes.missing("lost", workout: paused)]),
            phone([PageScenes.measured(workout: running)], isOffline: true),
            phone([]),
        ])
    }

    /// A phone on its side, a small one, a tablet and a screen; German words are the longer ones.
    func testPhone_onOtherScreens() async throws {
        let workout = PageScenes.workout(advice: "faster")
        let looks = [(640, 360), (320, 568), (768, 1_024), (1_280, 800)].flatMap { width, height in
            [
                phone([PageScenes.measured(workout: workout)], size: (width, height)),
                phone([PageScenes.measured(), PageScenes.measured("bob")], size: (width, height)),
                phone([PageScenes.missing("lost", workout: workout)], size: (width, height)),
            ]
        }
        try await look(at: looks, inModes: [("de", false)], isAccessible: false)
    }

    func testOtherPages() async throws {
        let people = Self.scene([
            PageScenes.measured(rate: 176, backup: true), PageScenes.measured("bob", rate: 84),
            PageScenes.missing("noContact", "eva"), PageScenes.missing("waiting", "kim"),
        ])
        let denied = ScriptedPages.Scene(
            access: """
                {"access":{"owner":false,"client":"web:1000:browser","read":{"granted":[]},\
                "share":{"granted":[]}}}
                """)
        let screen = (width: 1_920, height: 1_080)
        let (tile, card) = ("document.querySelector('.tile')", "document.querySelector('li')")
        try await look(at: [
            Look(path: "/wall", scene: people, isReady: tile, size: screen),
            Look(path: "/wall", scene: people, isReady: tile, isOffline: true),
            Look(path: "/wall", scene: denied, isReady: "!access.hidden"),
            Look(path: "/wall", scene: Self.scene([]), isReady: "!nobody.hidden"),
            overlay([PageScenes.measured()]), overlay([PageScenes.missing("lost")]), overlay([]),
            Look(path: "/devices", scene: PageScenes.devices, isReady: card),
            Look(path: "/devices", scene: PageScenes.devices, isReady: card, isOffline: true),
            Look(
                path: "/history?person=ada", scene: HistoryScene.full,
                isReady: "document.querySelector('#workouts summary')",
                script: "document.querySelector('#workouts summary').click()",
                isDone: "document.querySelector('.zone-table')"),
        ])
    }

    // MARK: Helpers

    private func phone(
        _ people: [String], script: String = "", isOffline: Bool = false,
        size: (width: Int, height: Int) = (360, 640)
    ) -> Look {
        Look(
            path: "/", scene: Self.scene(people), isReady: "title.textContent", script: script,
            isOffline: isOffline, size: size)
    }

    /// A streaming program shows the overlay on a picture, such as a green wall.
    private func overlay(_ people: [String]) -> Look {
        Look(
            path: "/overlay?person=ada", scene: Self.scene(people),
            isReady: "title.textContent",
            script: "document.documentElement.style.background = '#00b140'")
    }

    private static func scene(_ people: [String]) -> ScriptedPages.Scene {
        ScriptedPages.Scene(people: "[\(people.joined(separator: ","))]")
    }

    private func look(
        at looks: [Look],
        inModes modes: [(language: String, isDark: Bool)] = [("en", true), ("de", false)],
        isAccessible: Bool = true
    ) async throws {
        let browser = try await Self.browser()
        let pages = ScriptedPages(ScriptedPages.Scene())
        let server = try pages.makeServer()
        for look in looks {
            pages.set(look.scene)
            for (language, isDark) in modes {
                let mark = look.path.contains("?") ? "&" : "?"
                let path = "\(look.path)\(mark)lang=\(language)"
                try await browser.show(
                    width: look.size.width, height: look.size.height, isDark: isDark)
                try await browser.open(server.url(path))
                try await browser.wait(for: look.isReady)
                try await browser.run(look.script)
                try await browser.wait(for: look.isDone)
                if look.isOffline {
                    server.stop()
                    try await browser.wait(for: "document.body.classList.contains('offline')")
                }
                try await browser.waitForFrames()
                var faults = try await browser.layoutFaults()
                if isAccessible { faults += try await browser.violations() }
                XCTAssertEqual(faults, [], "\(path) \(look.size) \(look.script)")
                if look.isOffline { try server.start() }
            }
        }
        let complaints = await browser.complaints
        XCTAssertEqual(complaints, [])
    }
}
