import BluetoothTesting
import GatewayTesting
import Glibc
import XCTest

/// The pages of a gateway that reads a strap of a fake bluetoothd, in a real browser.
final class WebStrapTests: PageTestCase {
    private var address = ""

    /// A workout from its start on the phone to the file that the history has of it.
    func testWorkout_onEveryPage() async throws {
        let box = try await BluetoothBox()
        address = try configure(box.home)
        var gateway = try await start(box.home)
        let strap = await BeatingStrap(box, BluetoothBox.ada, rate: 120)
        let browser = try await Self.browser()
        try await startOnThePhone(browser, strap, box)

        try await open("wall", in: browser)
        try await browser.wait(for: ".rate", text: "155")
        try await browser.wait(for: ".note", text: "Paused")
        strap.loseContact()
        try await browser.wait(for: ".rate", text: "No contact")
        strap.beat(133)
        try await browser.wait(for: ".rate", text: "133")
        gateway = try await restart(gateway, box.home) {
            try await browser.wait(for: ".rate", text: "No updates")
        }
        try await browser.wait(for: ".rate", text: "133")

        try await open("overlay?person=ada", in: browser)
        try await browser.wait(for: "#rate", text: "133")
        strap.loseContact()
        try await browser.wait(for: "#title", text: "No contact")
        try await open("devices", in: browser)
        try await browser.wait(for: "li", text: "no skin contact")
        strap.beat(140)
        try await browser.wait(
            for: "document.querySelector('.link')?.textContent === 'Connected'")
        gateway = try await restart(gateway, box.home) {
            try await browser.wait(for: "#offline", text: "No updates since")
        }
        try await browser.wait(for: "offline.hidden")

        try await stopOnThePhone(browser)
        try await assertFile(browser, box.home)
        let complaints = await browser.complaints
        XCTAssertEqual(complaints, [])
        try await box.end(gateway)
    }

    private func startOnThePhone(
        _ browser: Browser, _ strap: BeatingStrap, _ box: BluetoothBox
    ) async throws {
        try await open("", in: browser)
        try await browser.wait(for: "#rate", text: "120")
        try await browser.press(button: "#start")
        try await browser.wait(for: "#figures", text: "Lap 1")
        strap.beat(155)
        try await browser.wait(for: "#rate", text: "155")
        try await browser.press(button: "#lap")
        try await browser.wait(for: "#figures", text: "Lap 2")
        strap.loseContact()
        try await browser.wait(for: "#title", text: "No contact")
        try await assertNoNumber(browser)
        strap.beat(155)
        try await browser.wait(for: "#rate", text: "155")
        await strap.leave()
        try await browser.wait(for: "#title", text: "Signal lost")
        try await assertNoNumber(browser)
        await strap.comeBack(to: box)
        try await browser.wait(for: "#rate", text: "155")
        try await browser.press(button: "#pause")
        try await browser.wait(for: "#state", text: "Paused")
    }

    private func assertNoNumber(_ browser: Browser) async throws {
        let rate = try await browser.text("#rate")
        XCTAssertEqual(rate, "–")
    }

    private func stopOnThePhone(_ browser: Browser) async throws {
        try await open("", in: browser)
        try await browser.wait(for: "#rate", text: "140")
        try await browser.wait(for: "#state", text: "Paused")
        try await browser.press(button: "#pause")
        try await browser.wait(for: "#pause", text: "Pause")
        try await browser.press(button: "#stop")
        try await browser.wait(for: "#stop", text: "Confirm stop")
        try await browser.press(button: "#stop")
        try await browser.wait(for: "#state", text: "Saved")
    }

    /// Downloads the workout from the history, and lets Garmin's reader judge the file.
    private func assertFile(_ browser: Browser, _ home: Home) async throws {
        try await open("history?person=ada", in: browser)
        try await browser.wait(for: "#workouts summary", text: "Running")
        try await browser.run("document.querySelector('#workouts summary').click()")
        try await browser.wait(for: ".downloads button", text: "Download FIT")
        try await browser.run("document.querySelector('.downloads button').click()")
        let file = try await browser.waitForDownload()
        XCTAssertTrue(file.hasSuffix(".fit"), file)
        let readings = try await ForeignReader.read(file, "read_fit.py", home)
        let garmin = try XCTUnwrap(
            readings.first { $0["reader"] as? String == "garmin-fit-sdk" })
        XCTAssertEqual(garmin["whole"] as? Bool, true)
        XCTAssertEqual(garmin["errors"] as? [String], [])
        let counts = try XCTUnwrap(garmin["counts"] as? [String: Int])
        XCTAssertEqual(counts["lap_mesgs"], 2)
        let session = try XCTUnwrap(garmin["session"] as? [String: Any])
        XCTAssertEqual(session["sport"] as? String, "running")
        XCTAssertEqual(session["max_heart_rate"] as? Int, 155)
    }

    // MARK: Helpers

    private func open(_ page: String, in browser: Browser) async throws {
        try await browser.show(
            width: page == "wall" ? 1_920 : 360, height: page == "wall" ? 1_080 : 640)
        try await browser.open("\(address)\(page)")
    }

    /// Kills the gateway and starts it again, with something that happens in between.
    private func restart(
        _ gateway: RunningCommand, _ home: Home, meanwhile: () async throws -> Void
    ) async throws -> RunningCommand {
        await gateway.send(SIGKILL)
        _ = try await gateway.waitForEnd(within: 10)
        try await meanwhile()
        return try await start(home)
    }

    private func start(_ home: Home) async throws -> RunningCommand {
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "web page", on: .error)
        return gateway
    }

    private func configure(_ home: Home) throws -> String {
        let port = try WebGateway.freePort()
        try home.configure(
            """
            {
              people: { ada: { maximumHeartRate: { value: 190, unit: "count/min" }, wall: true } },
              devices: { "\(BluetoothBox.ada)": { person: "ada", name: "Red strap" } },
              sources: { straps: { use: "bluetooth", devices: ["\(BluetoothBox.ada)"] } },
              sinks: { store: "sqlite" },
              services: { web: { use: "web", listen: "127.0.0.1:\(port)" } },
            }
            """)
        return "http://127.0.0.1:\(port)/"
    }
}
