import Foundation
import GatewayTesting
import HTTPTesting
import XCTest

/// Tests `pulsegate open`, and the token that it puts into the address.
final class OpenCommandTests: XCTestCase {
    private func freePort() throws -> UInt16 {
        let placeholder = try ScriptedHTTPServer()
        defer { placeholder.stop() }
        return placeholder.port
    }

    func testOpen_printsTheAddress_withTheTokenOfAClient() async throws {
        let home = try Home()
        let port = try freePort()
        try home.configure(
            """
            {
              sources: { strap: { use: "simulator", devices: { heartRateStrap: 1 } } },
              services: { web: { use: "web", listen: "127.0.0.1:\(port)",
                                 tokens: { phone: { secret: "web-phone" } } } },
            }
            """)
        let stored = try await home.run("secret", "set", "web-phone", "--random")
        XCTAssertEqual(stored.output, "web-phone: stored\n")
        let token = try String(
            contentsOfFile: "\(home.dataDirectory)/secrets/web-phone", encoding: .utf8
        ).trimmingCharacters(in: .newlines)
        XCTAssertNotNil(token.wholeMatch(of: /[a-zA-Z0-9]{32}/), token)
        let early = try await home.run("open")
        XCTAssertEqual(early.ending, .exited(69), early.error)

        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "web page", on: .error)
        let address = "http://127.0.0.1:\(port)/"
        let plain = try await home.run("open")
        XCTAssertEqual(plain.output, "\(address)\n")
        let status = try await home.run("status")
        XCTAssertTrue(status.output.contains(address), status.output)
        let other = try await home.run("open", "--client", "phome")
        XCTAssertEqual(other.ending, .exited(64))
        XCTAssertTrue(other.error.contains("no token `phome`"), other.error)
        let full = try await home.run("open", "--client", "phone", "--qr")
        let lines = full.output.split(separator: "\n")
        XCTAssertEqual(lines.first.map(String.init), "\(address)?token=\(token)")
        XCTAssertEqual(Set(lines.dropFirst().map(\.count)).count, 1, full.output)

        let pane = try await TerminalPane(home, columns: 60, rows: 40)
        try await pane.run("pulsegate open --client phone --qr --no-browser")
        try await pane.waitForText("█")
        try await pane.resize(columns: 40, rows: 40)
        try await pane.run("clear; pulsegate open --client phone --qr --no-browser")
        try await pane.waitForText("the QR code needs a terminal of")
        let narrow = try await pane.screen()
        XCTAssertFalse(narrow.contains { $0.contains("█") }, "\(narrow)")

        let refused = try RawHTTPConnection(port: port).get("/v1/status?token=\(token)x")
        XCTAssertEqual(refused.status, 401)
        let unasked = try RawHTTPConnection(port: port).get("/v1/status?token=\(token)")
        XCTAssertEqual(unasked.status, 403)
        _ = try await home.run("access", "grant", "web:-:phone", "--read", "deviceEvent")
        let granted = try RawHTTPConnection(port: port).get("/v1/status?token=\(token)")
        XCTAssertEqual(granted.status, 200)
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 30)
        XCTAssertEqual(ending, .exited(0))
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains(token), "a token in the log")
    }

    func testOpen_ofAGatewayWithoutAServer_saysHowToStartOne() async throws {
        let home = try Home()
        try home.configure(
            #"{ sources: { s: { use: "simulator", devices: { heartRateStrap: 1 } } } }"#)
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "connected", on: .error)
        let outcome = try await home.run("open")
        XCTAssertEqual(outcome.ending, .exited(1))
        XCTAssertTrue(outcome.error.contains("`pulsegate run --web`"), outcome.error)
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd(within: 30)
    }

    /// Of a simulation everything can be seen without a setting, also the wall.
    func testSimulation_withWeb_showsThePersonOnTheWall() async throws {
        let home = try Home()
        let port = try freePort()
        try home.configure(
            #"{ services: { web: { use: "web", listen: "127.0.0.1:\#(port)" }, other: { use: "rebroadcast", person: "me" } } }"#
        )
        let gateway = try home.start("run", "--simulate", "--web")
        try await gateway.waitForLines(with: "web page", on: .error)
        let connection = try RawHTTPConnection(port: port)
        connection.send("GET /v1/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let state = try connection.read(until: "\n\n")
        XCTAssertTrue(state.contains(#""name":"me","wall":true"#), state)
        let opened = try await home.run("open", "--simulate")
        XCTAssertEqual(opened.output, "http://127.0.0.1:\(port)/\n")
        await gateway.send(SIGTERM)
        _ = try await gateway.waitForEnd(within: 30)
    }
}
