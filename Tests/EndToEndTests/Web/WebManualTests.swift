import Foundation
import GatewayTesting
import HTTPTesting
import XCTest

/// The manual page of the web server: its commands and configurations do what it says.
final class WebManualTests: XCTestCase {
    private func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appending(path: "Sources/pulsegate/Manual/web.md"), encoding: .utf8)
    }

    /// The blocks of the page in a language, in their order.
    private func blocks(_ language: String) throws -> [String] {
        let blocks = try page().components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        XCTAssertFalse(blocks.isEmpty, language)
        return blocks
    }

    private func run(
        _ script: String, in web: WebGateway, within seconds: Double = 30
    ) async throws -> (ending: RunningCommand.Ending, output: String, error: String) {
        let command = try RunningCommand(
            ["/bin/bash", "-c", script], in: web.home.folder,
            environment: ["PATH": "/usr/bin:/bin", "TOKEN": WebGateway.token], output: .pipe)
        let ending = try await command.waitForEnd(within: seconds)
        return (ending, await command.text(of: .output), await command.text(of: .error))
    }

    func testEveryCurl_succeeds() async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else {
            throw XCTSkip("curl is missing; apt-get install curl")
        }
        let web = try await WebGateway(people: "people: { ada: {} },")
        let grant = try await web.home.run(
            "access", "grant", "web:-:phone", "--read", "all", "--share", "workout")
        XCTAssertEqual(grant.ending, .exited(0), grant.error)
        let table =
            "type,start,end,value,unit\nbodyMass,2026-11-20T07:00:00Z,2026-11-20T07:00:00Z,72,kg\n"
        try web.home.folder.write(Array(table.utf8), to: "scale.csv")
        let lines = try blocks("sh").flatMap { $0.split(separator: "\n") }
        XCTAssertTrue(lines.allSatisfy { $0.hasPrefix("curl ") }, "\(lines)")
        XCTAssertGreaterThan(lines.count, 10)
        for line in lines {
            // A stream of events has no end; the second is that of the client.
            let isStream = line.hasPrefix("curl -N ")
            let options = isStream ? "--max-time 2 -sS" : "-sS --fail-with-body"
            let command = line.replacing("127.0.0.1:8765", with: "127.0.0.1:\(web.port)")
                .replacing("curl ", with: "curl \(options) ", maxReplacements: 1)
            let outcome = try await run("cd '\(web.home.folder.path)' && \(command)", in: web)
            XCTAssertEqual(
                outcome.ending, .exited(isStream ? 28 : 0),
                "\(command)\n\(outcome.output)\n\(outcome.error)")
            XCTAssertTrue(
                outcome.output.contains(isStream ? "event: state\n" : "{")
                    || outcome.output == "ok\n", "\(command)\n\(outcome.output)")
        }
        let stored = try web.ask("GET", "/v1/samples?type=bodyMass").body
        XCTAssertEqual(stored.matches(of: /"value":72.5,/).count, 1, stored)
        try await web.assertUnharmed()
        try await web.stop()
    }

    func testEveryConfiguration_isValid() async throws {
        let home = try Home()
        let secret = try RunningCommand(
            [
                "/bin/bash", "-c",
                "exec '\(Home.commandPath())' secret set web-phone <<< 0123456789abcdef",
            ], in: home.folder, environment: home.environment, output: .pipe)
        let ending = try await secret.waitForEnd()
        XCTAssertEqual(ending, .exited(0))
        for configuration in try blocks("json5") {
            try home.configure(configuration)
            let outcome = try await home.run("check")
            XCTAssertEqual(outcome.ending, .exited(0), configuration + outcome.error)
        }
    }

    /// Every path of the interface is in the table of the page.
    func testTable_hasEveryOperation() async throws {
        let web = try await WebGateway()
        let text = try web.ask("GET", "/v1/openapi.json").body
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let paths = try XCTUnwrap(document?["paths"] as? [String: [String: Any]])
        let operations = paths.flatMap { path, methods in
            methods.keys.map { "| \($0.uppercased()) | `\(path)` |" }
        }
        let page = try page()
        for operation in operations { XCTAssertTrue(page.contains(operation), operation) }
        let rows = page.matches(of: /\| (GET|POST) \| `[^`]+` \|/).map { String($0.0) }
        XCTAssertEqual(Set(rows), Set(operations))
        try await web.stop()
    }

    /// A browser reaches the server through Caddy, and events arrive at once.
    func testCaddyfile_makesAProxyThatNeedsAToken() async throws {
        let caddy = "/usr/bin/caddy"
        guard FileManager.default.isExecutableFile(atPath: caddy) else {
            throw XCTSkip("caddy is missing; apt-get install caddy")
        }
        let web = try await WebGateway("hosts: [\"gym.example\"],")
        let port = try WebGateway.freePort()
        let page = try XCTUnwrap(try blocks("caddyfile").first)
        XCTAssertTrue(page.contains("gym.example {\n"))
        // Its own authority, in place of one in the Internet, and ports that are free.
        let file =
            "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"
            + page.replacing("gym.example {\n", with: "gym.example:\(port) {\n\ttls internal\n")
            .replacing("127.0.0.1:8765", with: "127.0.0.1:\(web.port)")
        try web.home.folder.write(Array(file.utf8), to: "Caddyfile")
        let proxy = try RunningCommand(
            [caddy, "run", "--config", web.home.folder.path("Caddyfile")], in: web.home.folder,
            environment: web.home.environment, output: .pipe)
        try await proxy.waitForLines(with: "serving initial configuration", on: .error)
        try await proxy.waitForLines(with: "certificate obtained successfully", on: .error)
        let curl = "curl -sS -k -w ' %{http_code}' --resolve gym.example:\(port):127.0.0.1"
        let url = "https://gym.example:\(port)"
        func ask(_ words: String) async throws -> String {
            let outcome = try await run("\(curl) \(words)", in: web)
            return outcome.output + outcome.error
        }
        var answer = try await ask("\(url)/healthz")
        XCTAssertEqual(answer, "ok\n 200")
        answer = try await ask("\(url)/v1/people")
        XCTAssertTrue(answer.hasSuffix(" 401"), answer)
        answer = try await ask("\(url)/v1/access -H \"Authorization: Bearer $TOKEN\"")
        XCTAssertTrue(answer.contains(#""client":"web:-:phone""#), answer)
        let grant = try await web.home.run(
            "access", "grant", "web:-:phone", "--read", "all", "--share", "workout")
        XCTAssertEqual(grant.ending, .exited(0), grant.error)
        answer = try await ask("-N --max-time 3 \"\(url)/v1/live?token=$TOKEN\"")
        XCTAssertTrue(answer.hasPrefix("event: state\n"), answer)
        // The page that was loaded through the proxy may change something.
        answer = try await ask(
            "-H \"Authorization: Bearer $TOKEN\" -H 'Origin: \(url)' -X POST \(url)/v1/workout/pause"
        )
        XCTAssertTrue(answer.hasSuffix(" 409") || answer.hasSuffix(" 200"), answer)
        await proxy.send(SIGTERM)
        _ = try await proxy.waitForEnd(within: 20)
        try await web.assertUnharmed()
        try await web.stop()
    }
}
