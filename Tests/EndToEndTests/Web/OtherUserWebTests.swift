import Foundation
import GatewayTesting
import HTTPTesting
import XCTest

/// Another user of this machine, who reaches the port like everybody here.
final class OtherUserWebTests: XCTestCase {
    /// Runs a script of bash as another user, with the port in `$PORT`.
    private func run(_ script: String, _ web: WebGateway) async throws -> String {
        let words = try Home.wordsForNobody() + ["/bin/bash", "-c", "PORT=\(web.port); \(script)"]
        let command = try RunningCommand(
            words, in: web.home.folder, environment: ["PATH": "/usr/bin:/bin"], output: .pipe)
        try await command.waitForEnd(within: 60)
        return await command.text(of: .output)
    }

    private func ask(_ web: WebGateway, _ words: String) async throws -> String {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else {
            throw XCTSkip("curl is missing; apt-get install curl")
        }
        return try await run("curl -s -w ' %{http_code}' \(words)", web)
    }

    func testOtherUser_getsWhatIsGranted() async throws {
        _ = try Home.wordsForNobody()
        let web = try await WebGateway()
        let url = "http://127.0.0.1:\(web.port)/v1"
        let post = "-H 'Content-Type: application/json' -d"
        func assert(
            _ words: String, is expected: String, line: UInt = #line
        ) async throws {
            let answer = try await ask(web, words)
            XCTAssertTrue(answer.contains(expected), "\(words): \(answer)", line: line)
        }
        try await assert("\(url)/access", is: #""client":"web:65534:browser""#)
        try await assert("\(url)/access", is: #""owner":false"#)
        for path in ["people", "devices", "status", "samples?type=stepCount"] {
            try await assert("\(url)/\(path)", is: " 403")
        }
        try await assert("\(url)/workout/start \(post) '{\"activity\":\"running\"}'", is: " 403")
        let sample =
            #"{"records":[{"id":"0198f3c2-0000-8000-8000-000000000001","type":"stepCount","value":5,"unit":"count","#
            + #""start":"2026-11-01T00:00:00Z","end":"2026-11-01T00:01:00Z"}]}"#
        try await assert("\(url)/records \(post) '\(sample)'", is: " 403")
        try await assert(
            "\(url)/access \(post) '{\"read\":[\"stepCount\"],\"purpose\":\"a wall\"}'", is: " 200")
        let grant = try await web.home.run(
            "access", "grant", "web:65534:browser", "--read", "stepCount")
        XCTAssertEqual(grant.ending, .exited(0), grant.error)
        try await assert("\(url)/samples?type=stepCount", is: " 200")
        try await assert("\(url)/samples?type=heartRate", is: " 403")
        try await assert("\(url)/people", is: " 403")
        try await assert("\(url)/records \(post) '\(sample)'", is: " 403")
        // No header makes it somebody else.
        for header in ["X-Forwarded-For: 127.0.0.1", "X-Remote-User: root", "Forwarded: for=x"] {
            let answer = try await ask(web, "\(url)/people -H '\(header)'")
            XCTAssertFalse(answer.contains(" 200"), answer)
        }
        let revoke = try await web.home.run("access", "revoke", "web:65534:browser")
        XCTAssertEqual(revoke.ending, .exited(0), revoke.error)
        try await assert("\(url)/samples?type=stepCount", is: " 403")
        try await web.assertUnharmed()
        try await web.stop()
    }

    /// The kernel reports root as the user of a socket that was closed.
    func testOtherUser_whoClosesEarly_isNotTheOwner() async throws {
        _ = try Home.wordsForNobody()
        let web = try await WebGateway()
        let body = #"{"activity":"running"}"#
        let request =
            "POST /v1/workout/start HTTP/1.1\\r\\nHost: localhost\\r\\n"
            + "Content-Type: application/json\\r\\nContent-Length: \(body.utf8.count)\\r\\n\\r\\n"
            + body
        let sent = try await run(
            """
            for n in $(seq 500); do
                exec 3<>/dev/tcp/127.0.0.1/$PORT && printf '\(request)' >&3 && echo sent; exec 3>&-
            done
            """, web)
        XCTAssertEqual(sent.split(separator: "\n").count, 500)
        try await web.assertUnharmed()
        let workouts = try web.ask("GET", "/v1/workout").body
        XCTAssertFalse(workouts.contains("running"), workouts)
        // The same bytes of the owner, who also does not wait for the answer.
        let connection = try web.connect()
        connection.send(request.replacing("\\r\\n", with: "\r\n"))
        XCTAssertEqual(try connection.response().status, 200)
        XCTAssertTrue(try web.ask("GET", "/v1/workout").body.contains("running"))
        XCTAssertEqual(try web.ask("POST", "/v1/workout/discard").status, 200)
        try await web.stop()
    }
}
