import HTTPTesting
import XCTest

/// The overlay and the page of the devices in a real browser.
final class OtherPageTests: PageTestCase {
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

    /// A browser keeps the pages before with their connections, and has six for a server.
    func testLivePages_oneAfterTheOther_takeNoConnectionFromTheNext() async throws {
        let visit = try await PageVisit("/", people: [PageScenes.measured()])
        let start = ContinuousClock.now
        for path in ["/wall", "/overlay", "/", "/wall", "/overlay", "/", "/wall"] {
            try await visit.browser.open(visit.server.url(path))
            try await visit.browser.wait(for: path == "/wall" ? ".rate" : "#rate", text: "158")
        }
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(15))
        visit.pages.set(
            ScriptedPages.Scene(people: "[\(PageScenes.measured(rate: 131))]"))
        try await visit.browser.run("history.back()")
        try await visit.browser.wait(for: "location.pathname === '/'")
        try await visit.browser.wait(for: "#rate", text: "131")
    }

    func testDevices_sayWhyOneIsNotReadAndWhatToDo() async throws {
        let visit = try await PageVisit("/devices", PageScenes.devices)
        try await visit.browser.wait(for: "li:nth-child(2)", text: "no skin contact")
        try await visit.browser.wait(for: "li:nth-child(2)", text: "Moisten the electrodes")
        try await visit.browser.wait(for: "li:nth-child(3)", text: "Wear the device")
        // A reason with a remedy has no other one.
        let last = try await visit.browser.text("li:last-child")
        XCTAssertEqual(last?.contains("sudo usermod -aG dialout"), true)
        XCTAssertEqual(last?.contains("cable"), false)
        let first = try await visit.browser.text("li:first-child")
        XCTAssertEqual(
            first,
            "Polar H10Connectedbattery 80\u{a0}% · last value 2 s agoada · A0:9E:1A:00:00:01")
        let complaints = await visit.browser.complaints
        XCTAssertEqual(complaints, [])
    }
}
