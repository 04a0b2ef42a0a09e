import HTTPTesting
import XCTest

/// The overlay and the page of the devices in a real browser, and the accessibility of all pages.
final class OtherPageTests: XCTestCase {
    func testOverlay_isTransparentAndTakesSizeAndColour() async throws {
        let visit = try await PageVisit(
            "/overlay?person=ada&size=60&color=yellow", people: [PageScenes.measured()])
        try await visit.browser.wait(for: "#rate", text: "158")
        let look: [String]? = try await visit.browser.evaluate(
            """
            [document.documentElement, document.body].map(
              (part) => getComputedStyle(part).backgroundColor).concat(
              getComputedStyle(rate).color, getComputedStyle(rate).fontSize)
            """)
        XCTAssertEqual(
            look,
            ["rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)", "rgb(255, 255, 0)", "60px"])
        let targets = visit.server.requests.map(\.target)
        XCTAssertTrue(targets.contains("/v1/live?person=ada"), "\(targets)")
        try await visit.assertFits()
    }

    func testDevices_sayWhyOneIsNotReadAndWhatToDo() async throws {
        let visit = try await PageVisit("/devices", Self.devices)
        try await visit.browser.wait(for: "li:nth-child(2)", text: "no skin contact")
        try await visit.browser.wait(for: "li:nth-child(2)", text: "Moisten the electrodes")
        try await visit.browser.wait(for: "li:nth-child(3)", text: "Wear the device")
        let first = try await visit.browser.text("li:first-child")
        XCTAssertEqual(
            first,
            "Polar H10connectedbattery 80\u{a0}% · last value 2 s agoada · A0:9E:1A:00:00:01")
        let complaints = await visit.browser.complaints
        XCTAssertEqual(complaints, [])
    }

    func testPages_areAccessibleInTheDarkAndInTheLight() async throws {
        let scenes: [(path: String, scene: ScriptedPages.Scene)] = [
            ("/", Self.people([PageScenes.measured()])),
            (
                "/",
                Self.people([
                    PageScenes.measured(workout: PageScenes.workout("paused", advice: "slower"))
                ])
            ),
            ("/", Self.people([PageScenes.missing("lost", workout: PageScenes.workout("paused"))])),
            (
                "/wall",
                Self.people([PageScenes.measured(), PageScenes.missing("noContact", "bob")])
            ),
            ("/overlay", Self.people([PageScenes.measured()])), ("/devices", Self.devices),
        ]
        for (path, scene) in scenes {
            let visit = try await PageVisit(path, scene)
            try await visit.browser.wait(
                for: "document.querySelector('#rate, .tile, li')?.innerText")
            for isDark in [true, false] {
                try await visit.browser.show(width: 360, height: 640, isDark: isDark)
                let violations = try await visit.browser.violations()
                XCTAssertEqual(violations, [], "\(path) \(isDark ? "dark" : "light")")
            }
        }
    }

    private static func people(_ people: [String]) -> ScriptedPages.Scene {
        ScriptedPages.Scene(people: "[\(people.joined(separator: ","))]")
    }

    private static let devices = ScriptedPages.Scene(
        status: """
            {"devices":[{"device":"A0:9E:1A:00:00:01","name":"Polar H10","person":"ada",\
            "link":"live","contact":true,"battery":0.8,"silentSeconds":2.4},\
            {"device":"A0:9E:1A:00:00:02","name":"TICKR","link":"live","contact":false},\
            {"device":"A0:9E:1A:00:00:03","name":"HRM","link":"wanted"}]}
            """)
}
