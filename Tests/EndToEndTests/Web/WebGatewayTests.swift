import GatewayTesting
import Glibc
import XCTest

/// The pages of a running gateway in a real browser.
final class WebGatewayTests: PageTestCase {
    /// A rate is on the page.
    private static let isMeasured = #"/^\d+$/.test(document.querySelector('#rate').textContent)"#

    func testPhone_aWorkoutFromStartToStop_whileTheGatewayIsKilledAndComesBack() async throws {
        let home = try Home()
        let address = try configure(home)
        var gateway = try await start(home)
        let browser = try await Self.browser()
        try await browser.show(width: 360, height: 640)
        try await browser.open(address)
        try await browser.wait(for: Self.isMeasured)
        try await browser.wait(for: "#start", text: "Start")
        try await browser.click("#start")
        try await browser.wait(for: "#figures", text: "Lap 1")
        try await browser.press(button: "#lap")
        try await browser.wait(for: "#figures", text: "Lap 2")
        try await browser.press(button: "#pause")
        try await browser.wait(for: "#state", text: "Paused")

        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd(within: 10)
        try await browser.wait(for: "#offline", text: "No updates since")
        let rate = try await browser.text("#rate")
        XCTAssertEqual(rate, "–")

        gateway = try await start(home)
        try await browser.wait(for: Self.isMeasured)
        try await browser.wait(for: "#state", text: "Paused")
        try await browser.press(button: "#stop")
        try await browser.wait(for: "#stop", text: "Confirm stop")
        try await browser.press(button: "#stop")
        try await browser.wait(for: "document.querySelector('#buttons').hidden")
        let complaints = await browser.complaints
        XCTAssertEqual(complaints, [])
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 30)
        XCTAssertEqual(ending, .exited(0))
        let workouts = try await home.run("workout", "list")
        XCTAssertTrue(workouts.output.contains(/running +ada/), workouts.output)
    }

    /// The best of some attempts counts: other programs may be busy.
    func testLivePages_showTheFirstNumberWithin300Milliseconds() async throws {
        let home = try Home()
        let address = try configure(home)
        let gateway = try await start(home)
        let browser = try await Self.browser()
        try await browser.show(width: 360, height: 640)
        for (page, element) in [("", "#rate"), ("wall", ".rate"), ("overlay?person=ada", "#rate")] {
            var best = Double.infinity
            for _ in 0..<20 where best >= 300 {
                let milliseconds = try await browser.millisecondsToNumber(
                    in: element, at: "\(address)\(page)")
                best = min(best, milliseconds)
            }
            XCTAssertLessThan(best, 300, "/\(page)")
        }
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 30)
        XCTAssertEqual(ending, .exited(0))
    }

    func testWallOverlayAndDevices_showTheStrap() async throws {
        let home = try Home()
        let address = try configure(home)
        var gateway = try await start(home)
        let browser = try await Self.browser()
        try await browser.show(width: 1_920, height: 1_080)
        try await browser.open("\(address)wall")
        try await browser.wait(for: ".tile", text: "ada")
        try await browser.wait(for: #"/\d+\s%/.test(document.querySelector('.foot')?.innerText)"#)
        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd(within: 10)
        try await browser.wait(for: ".rate", text: "No updates")
        gateway = try await start(home)
        try await browser.wait(for: #"/\d+\s%/.test(document.querySelector('.foot')?.innerText)"#)
        try await browser.open("\(address)overlay?person=ada")
        try await browser.wait(for: Self.isMeasured)
        try await browser.open("\(address)devices")
        try await browser.wait(for: "li", text: "Connected")
        let complaints = await browser.complaints
        XCTAssertEqual(complaints, [])
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 30)
        XCTAssertEqual(ending, .exited(0))
    }

    // MARK: Helpers

    /// Configures a simulated strap and a web server on a free port; returns its address.
    private func configure(_ home: Home) throws -> String {
        let port = try WebGateway.freePort()
        try home.configure(
            """
            {
              people: { ada: { maximumHeartRate: { value: 190, unit: "count/min" }, wall: true } },
              devices: { "simulated-strap": { person: "ada" } },
              sources: { strap: { use: "simulator", devices: { heartRateStrap: 1 } } },
              services: { web: { use: "web", listen: "127.0.0.1:\(port)" } },
            }
            """)
        return "http://127.0.0.1:\(port)/"
    }

    private func start(_ home: Home) async throws -> RunningCommand {
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "web page", on: .error)
        return gateway
    }
}
