import HTTPTesting
import XCTest

/// The page for the phone in a real browser.
final class PhonePageTests: PageTestCase {
    private typealias Scene = ScriptedPages.Scene

    func testPhone_aWorkout_showsItsFigures() async throws {
        let visit = try await PageVisit(
            "/", people: [PageScenes.measured(workout: PageScenes.workout(advice: "faster"))])
        let browser = visit.browser
        try await browser.wait(for: "#rate", text: "158")
        let title = try await browser.text("#title")
        XCTAssertEqual(title, "Zone 4 of 5, hard")
        let range = try await browser.text("#range")
        XCTAssertEqual(range, "152–169 /min")
        let full: Int? = try await browser.evaluate(
            "document.querySelectorAll('#zones .full').length")
        XCTAssertEqual(full, 4)
        let figures = try await browser.text("#figures")
        XCTAssertEqual(
            figures,
            "Time12:34Lap 31:23Average HR141Energy412 kcalDistance2.23 kmSteps1,210"
                + "Pace5:13 min/kmCadence172 /minPower231 W")
        let step = try await browser.text("#step")
        XCTAssertEqual(step?.contains("Intervals"), true, step ?? "")
        XCTAssertEqual(step?.contains("Step 2 of 5 · 1:20\u{a0}left"), true, step ?? "")
        let advice = try await browser.text("#advice")
        XCTAssertEqual(advice, "▲ HARDER")
        let strap = try await browser.text("#strap")
        XCTAssertEqual(strap, "Polar H10 · battery 80\u{a0}%")
        try await visit.assertFits()
    }

    func testPhone_belowZone1WithoutAWorkout_hasThePercentage() async throws {
        let visit = try await PageVisit("/", people: [PageScenes.measured(rate: 63)])
        try await visit.browser.wait(for: "#title", text: "Below zone 1")
        let range = try await visit.browser.text("#range")
        XCTAssertEqual(range, "33\u{a0}% max.")
    }

    func testPhone_whenTheStrapIsLost_hasNoNumber() async throws {
        for (state, words) in [
            ("waiting", "No heart rate yet"), ("noContact", "No contact"), ("lost", "Signal lost"),
        ] {
            let visit = try await PageVisit(
                "/", people: [PageScenes.missing(state, workout: PageScenes.workout())])
            let browser = visit.browser
            try await browser.wait(for: "#title", text: words)
            let rate = try await browser.text("#rate")
            XCTAssertEqual(rate, "–", state)
            // Nothing moves when the rate comes back.
            let height = try await Self.heartHeight(browser)
            let measured = PageScenes.measured(workout: PageScenes.workout())
            try await visit.reopen("/", people: [measured])
            try await browser.wait(for: "#rate", text: "158")
            let usual = try await Self.heartHeight(browser)
            XCTAssertEqual(height, usual, accuracy: 2, state)
            try await visit.assertFits()
        }
    }

    func testPhone_whenTheStreamEnds_saysSinceWhenAndComesBack() async throws {
        let visit = try await PageVisit("/", people: [PageScenes.measured()])
        let browser = visit.browser
        try await browser.wait(for: "#rate", text: "158")
        visit.server.stop()
        try await browser.wait(for: "#offline", text: "No updates since")
        let rate = try await browser.text("#rate")
        XCTAssertEqual(rate, "–")
        visit.pages.set(Scene(people: "[\(PageScenes.measured(rate: 131))]"))
        try visit.server.start()
        try await browser.wait(for: "#rate", text: "131")
        try await browser.wait(for: "offline.hidden")
    }

    func testPhone_whenAConnectionIsDead_hasNoOldNumber() async throws {
        // The gateway sends a line each second while a workout runs; this one is silent.
        let visit = try await PageVisit(
            "/", people: [PageScenes.measured(workout: PageScenes.workout())])
        let browser = visit.browser
        try await browser.wait(for: "#rate", text: "158")
        try await browser.wait(
            for: "!offline.hidden && document.querySelector('#rate').textContent === '–'")
        try await browser.wait(for: "#rate", text: "158")
    }

    func testPhone_stop_needsASecondPress() async throws {
        let visit = try await PageVisit(
            "/", people: [PageScenes.measured(workout: PageScenes.workout("paused"))])
        let browser = visit.browser
        try await browser.wait(for: "#stop", text: "Stop")
        try await browser.click("#stop")
        try await browser.wait(for: "#stop", text: "Confirm stop")
        // Time passes, and the question is withdrawn.
        try await browser.wait(for: "document.querySelector('#stop').textContent === 'Stop'")
        XCTAssertEqual(visit.pages.posts, [])
        try await browser.press("s")
        try await browser.press("l")
        try await browser.wait(for: "document.querySelector('#stop').textContent === 'Stop'")
        XCTAssertEqual(visit.pages.posts, [])
        try await browser.press("s")
        try await browser.press("s")
        try await visit.wait(forPost: "/v1/workout/stop")
        XCTAssertEqual(visit.pages.posts, [#"/v1/workout/stop {"person":"ada"}"#])
    }

    func testPhone_buttonsAndKeys_controlTheWorkout() async throws {
        let visit = try await PageVisit(
            "/", people: [PageScenes.measured(workout: PageScenes.workout())])
        let browser = visit.browser
        try await browser.wait(for: "#pause", text: "Pause")
        try await browser.click("#lap")
        try await visit.wait(forPost: "/v1/workout/lap")
        try await browser.wait(for: "!document.querySelector('#pause').disabled")
        try await browser.press("p")
        try await visit.wait(forPost: "/v1/workout/pause")
        XCTAssertEqual(
            visit.pages.posts,
            [#"/v1/workout/lap {"person":"ada"}"#, #"/v1/workout/pause {"person":"ada"}"#])
    }

    func testPhone_withoutAWorkout_startsOne() async throws {
        let visit = try await PageVisit("/", people: [PageScenes.measured()])
        let browser = visit.browser
        try await browser.wait(for: "#start", text: "Start")
        try await browser.run("activity.value = 'cycling'; document.activeElement.blur()")
        try await browser.click("#start")
        try await visit.wait(forPost: "/v1/workout/start")
        XCTAssertEqual(
            visit.pages.posts,
            [#"/v1/workout/start {"person":"ada","activity":"cycling","location":"outdoor"}"#])
    }

    func testPhone_severalPeople_remembersTheChoiceInTheAddress() async throws {
        let people = ["ada", "bob"].map { PageScenes.measured($0, rate: $0 == "ada" ? 120 : 99) }
        let visit = try await PageVisit(
            "/", people: people)
        let browser = visit.browser
        try await browser.wait(for: "#rate", text: "120")
        try await browser.run(
            "person.value = 'bob'; person.dispatchEvent(new Event('change'))")
        try await browser.wait(for: "#rate", text: "99")
        let address: String? = try await browser.evaluate("location.href")
        XCTAssertEqual(address, visit.server.url("/?person=bob"))
    }

    func testPhone_aToken_leavesTheAddressAndIsSentAsAHeader() async throws {
        let visit = try await PageVisit(
            "/?token=secret&lang=de", people: [PageScenes.measured()])
        let browser = visit.browser
        try await browser.wait(for: "#title", text: "Zone 4 von 5, hart")
        let address: String? = try await browser.evaluate("location.href + document.referrer")
        XCTAssertEqual(address, visit.server.url("/?lang=de"))
        let requests = visit.server.requests.filter { $0.target.hasPrefix("/v1/") }
        XCTAssertFalse(requests.isEmpty)
        for request in requests {
            XCTAssertEqual(request["Authorization"], "Bearer secret", request.target)
        }
        let leaks = visit.server.requests.dropFirst().filter {
            $0.target.contains("secret") || $0["Referer"]?.contains("secret") == true
        }
        XCTAssertEqual(leaks.map(\.target), [])
    }

    func testPhone_withoutAccess_namesTheCommandAndAsks() async throws {
        let scene = Scene(
            access: """
                {"access":{"owner":false,"client":"web:1000:browser","read":{"granted":[]},\
                "share":{"granted":[]}}}
                """)
        let visit = try await PageVisit(
            "/", scene)
        let browser = visit.browser
        try await browser.wait(
            for: "#access",
            text: "pulsegate access grant web:1000:browser --read all --share workout")
        try await browser.click("#access button")
        try await visit.wait(forPost: "/v1/access")
        try await browser.wait(for: "#access", text: "Waiting for the owner")
    }

    private static func heartHeight(_ browser: Browser) async throws -> Double {
        let height: Double? = try await browser.evaluate(
            "document.querySelector('#heart').getBoundingClientRect().height")
        return try XCTUnwrap(height)
    }
}
