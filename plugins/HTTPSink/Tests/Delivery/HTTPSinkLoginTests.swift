import GatewayCore
import GatewayTesting
import HTTPClient
import HTTPTesting
import HealthModel
import XCTest

@testable import HTTPSink

/// Tests tokens, passwords and additional headers.
final class HTTPSinkLoginTests: SinkTestCase {
    /// A server that wants this in `Authorization`.
    private func makeServer(wanting value: String) throws -> ScriptedHTTPServer {
        try ScriptedHTTPServer { _, request in
            request["Authorization"] == value
                ? .answer() : .answer(ScriptedAnswer(status: 401, body: "who?"))
        }
    }

    func testTokenThatWasChanged_isReadAgain_inTheSameTry() async throws {
        let server = try makeServer(wanting: "Bearer new")
        try writeSecret("old\n", to: "repo.token")
        let sink = try makeSink(at: server, "token: { file: \"repo.token\" }")
        let reason = try holdReason(await failure(of: sink, try records(2)))
        XCTAssertTrue(reason.contains("status 401"), reason)
        XCTAssertTrue(reason.contains("repo.token"), reason)
        XCTAssertFalse(reason.contains("old"), reason)

        try writeSecret("new\r\n", to: "repo.token")
        try await sink.write(try records(2))
        // After a rejection the next retry reads it again.
        XCTAssertEqual(server.requests.map { $0["Authorization"] }, ["Bearer old", "Bearer new"])
    }

    func testTokenThatChangesBetweenBatches_costsOneRejectedRequest() async throws {
        try writeSecret("first", to: "repo.token")
        let server = try ScriptedHTTPServer { number, request in
            let wanted = number == 1 ? "Bearer first" : "Bearer second"
            return .answer(ScriptedAnswer(status: request["Authorization"] == wanted ? 204 : 403))
        }
        let sink = try makeSink(at: server, "token: { file: \"repo.token\" }")
        try await sink.write(try records(1))
        try writeSecret("second", to: "repo.token")
        try await sink.write(try records(2))
        XCTAssertEqual(
            server.requests.map { $0["Authorization"] },
            ["Bearer first", "Bearer first", "Bearer second"])
    }

    func testTokenThatIsNotThereYet_blocks_untilItIs() async throws {
        let server = try makeServer(wanting: "Bearer here")
        let sink = try makeSink(at: server, "token: { file: \"repo.token\" }")
        let reason = try holdReason(await failure(of: sink, try records(1)))
        XCTAssertTrue(reason.hasPrefix("sinks.repository.token.file: "), reason)
        XCTAssertTrue(reason.contains("No such file"), reason)
        XCTAssertThrowsError(try sink.check())
        XCTAssertEqual(server.counts.connections, 0)
        try writeSecret("here", to: "repo.token")
        XCTAssertNoThrow(try sink.check())
        try await sink.write(try records(1))
    }

    func testUserAndPassword() async throws {
        let server = try makeServer(wanting: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let sink = try makeSink(
            "url: \"\(server.url())\", user: \"Aladdin\", password: { env: \"PASSWORD\" }",
            environment: ["PASSWORD": "open sesame"])
        try await sink.write(try records(1))
        XCTAssertEqual(server.counts.requests, 1)
    }

    func testCredentialOfSystemd_andSecretHeaders() async throws {
        try folder.makeFolder("credentials")
        // systemd's access lists show as rights of the group.
        let path = try folder.write(Array("tok".utf8), to: "credentials/repo")
        XCTAssertEqual(chmod(path, 0o440), 0)
        let server = try ScriptedHTTPServer()
        let sink = try makeSink(
            """
            url: "\(server.url())", token: { credential: "repo" },
            headers: { "X-Api-Key": { env: "KEY" } }
            """,
            environment: ["CREDENTIALS_DIRECTORY": folder.path("credentials"), "KEY": "abc"])
        try await sink.write(try records(1))
        XCTAssertEqual(server.requests.first?["Authorization"], "Bearer tok")
        XCTAssertEqual(server.requests.first?["X-Api-Key"], "abc")
    }

    func testResponseThatRepeatsTheSecrets_isStoredWithoutThem() async throws {
        let server = try ScriptedHTTPServer { _, request in
            let said = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
            return .answer(ScriptedAnswer(status: 400, body: said))
        }
        try writeSecret("s3cret-token", to: "repo.token")
        let sink = try makeSink(
            "url: \"\(server.url())\", token: { file: \"repo.token\" }, headers: { \"X-Key\": "
                + "{ env: \"KEY\" } }, whenAllRejected: \"reject\"",
            environment: ["KEY": "hunter2"])
        _ = try await failure(of: sink, try records(1))
        let answer = try XCTUnwrap(try rejected().first?["answer"] as? String)
        XCTAssertTrue(answer.contains("Bearer …"), answer)
        XCTAssertFalse(answer.contains("s3cret"), answer)
        XCTAssertFalse(answer.contains("hunter2"), answer)
    }

    func testPlainHTTP_toAnotherMachine_isReportedOnce() async throws {
        let open = try makeSink("url: \"http://no-such-host.invalid/\"")
        for _ in 1...2 { _ = try await failure(of: open, try records(1)) }
        XCTAssertEqual(logged.text.split(separator: "not encrypted").count, 2, logged.text)
        let server = try ScriptedHTTPServer()
        try await makeSink(at: server).write(try records(1))
        XCTAssertEqual(logged.text.split(separator: "not encrypted").count, 2, logged.text)
    }
}
