import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import Serial
import Synchronization
import XCTest

/// The built command sends what a pedometer counts to a server.
final class RepositoryTests: XCTestCase {
    /// A repository that keeps each record once, by its id.
    private final class Repository: Sendable {
        private let ids = Mutex<[String]>([])
        private let isDown = Mutex(false)

        var stored: [String] { ids.withLock { $0 } }

        func setDown(_ down: Bool) { isDown.withLock { $0 = down } }

        func makeServer() throws -> ScriptedHTTPServer {
            try ScriptedHTTPServer { [self] _, request in
                guard request["Authorization"] == "Bearer s3cret-token" else {
                    return .answer(ScriptedAnswer(status: 401))
                }
                if isDown.withLock({ $0 }) { return .answer(ScriptedAnswer(status: 503)) }
                return .decide { self.store($0) }
            }
        }

        private func store(_ request: ReceivedHTTPRequest) -> ScriptedReaction {
            let text = String(decoding: request.body, as: UTF8.self)
            let new = text.split(separator: "\"id\":\"").dropFirst().map { String($0.prefix(36)) }
            ids.withLock { ids in ids += new.filter { !ids.contains($0) } }
            return .answer()
        }
    }

    private func configure(
        _ home: Home, _ port: PseudoTerminal, _ server: ScriptedHTTPServer
    ) throws {
        try home.configure(
            """
            { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } },
              sinks: { store: "sqlite", repository: { use: "http",
                url: "\(server.url("/v1/samples"))", token: { file: "repo.token" } } } }
            """)
    }

    private func writeToken(_ home: Home, _ token: String) throws {
        try home.folder.makeFolder("data/pulsegate")
        let path = try home.folder.write(Array(token.utf8), to: "data/pulsegate/repo.token")
        XCTAssertEqual(chmod(path, 0o600), 0)
    }

    private func stop(_ gateway: RunningCommand) async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
    }

    func testRun_sendsWhatTheStoreKeeps_withTheSameIDs() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let repository = Repository()
        let server = try repository.makeServer()
        try configure(home, port, server)
        try writeToken(home, "s3cret-token\n")
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for count in 1...20 { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await server.wait { $0.requests >= 1 }
        try await stop(gateway)

        let kept = try await home.samples(of: .stepCount).map(\.id) + home.events().map(\.id)
        XCTAssertEqual(Set(repository.stored), Set(kept.map(\.description)))
        XCTAssertEqual(repository.stored.count, kept.count)
        XCTAssertEqual(server.requests.first?["User-Agent"]?.hasPrefix("pulsegate/"), true)
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("s3cret"), log)
        XCTAssertEqual(try home.ledger().imbalances, [])
    }

    /// Asks the running gateway until the repository has everything.
    private func waitUntilNothingIsPending(_ home: Home) async throws {
        for _ in 1...1_000 {
            let status = try await home.run("status", "--json")
            let sink = status.output.components(separatedBy: #""name":"repository""#).last ?? ""
            if sink.contains(#""pending":0,"#) { return }
        }
        XCTFail("records are still pending")
    }

    func testKilledWhileTheServerIsDown_sendsAllAtTheNextStart() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let repository = Repository()
        let server = try repository.makeServer()
        try configure(home, port, server)
        try writeToken(home, "s3cret-token")
        repository.setDown(true)
        let first = try home.start("run")
        try await first.waitForLines(with: "foot: connected", on: .error)
        for count in 1...20 { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await first.waitForLines(with: "status 503", on: .error)
        await first.send(SIGKILL)
        _ = try await first.waitForEnd()
        port.clearExclusiveUse()
        XCTAssertEqual(repository.stored, [])

        repository.setDown(false)
        let second = try home.start("run")
        try await second.waitForLines(with: "foot: connected", on: .error)
        // The server may have stored a last try of the first one, which is not the second one's.
        try await waitUntilNothingIsPending(home)
        try await stop(second)
        let kept = try await home.samples(of: .stepCount).map(\.id) + home.events().map(\.id)
        XCTAssertEqual(Set(repository.stored), Set(kept.map(\.description)))
        XCTAssertEqual(repository.stored.count, kept.count)
        XCTAssertEqual(try home.ledger().pending(for: "repository"), 0)
    }

    func testWrongToken_isReportedWithTheRemedy_andDoesNotStopTheStore() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let server = try Repository().makeServer()
        try configure(home, port, server)
        try writeToken(home, "wr0ng")
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "status 401", on: .error)
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        let status = try await home.run("status")
        XCTAssertTrue(status.output.contains("status 401"), status.output)
        XCTAssertTrue(status.output.contains("repo.token"), status.output)
        XCTAssertFalse(status.output.contains("wr0ng"), status.output)
        try await stop(gateway)
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("wr0ng"), log)
        let events = try await home.events()
        XCTAssertFalse(events.isEmpty)
    }

    func testCheck_reportsWhichSecretCannotBeRead_andShowsNone() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let server = try Repository().makeServer()
        try configure(home, port, server)
        let missing = try await home.run("check")
        XCTAssertEqual(missing.ending, .exited(78))
        XCTAssertTrue(
            missing.error.contains("sinks.repository.token.file: cannot read"), missing.error)

        try writeToken(home, "s3cret-token")
        let right = try await home.run("check")
        XCTAssertEqual(right.ending, .exited(0), right.error)
        XCTAssertFalse((right.output + right.error).contains("s3cret"), right.output)

        XCTAssertEqual(chmod("\(home.dataDirectory)/repo.token", 0o644), 0)
        let open = try await home.run("check")
        XCTAssertEqual(open.ending, .exited(78))
        XCTAssertTrue(open.error.contains("chmod 600"), open.error)
        XCTAssertFalse(open.error.contains("s3cret"), open.error)
        XCTAssertEqual(server.counts.connections, 0)
    }

    func testPlainToken_endsWith78_andIsNotRepeated() async throws {
        let home = try Home()
        try home.configure(
            """
            { sinks: { repository: { use: "http", url: "https://repo.example", token: "hunter2" } } }
            """)
        for command in ["check", "run"] {
            let outcome = try await home.run(command)
            XCTAssertEqual(outcome.ending, .exited(78))
            XCTAssertTrue(outcome.error.contains("sinks.repository.token: "), outcome.error)
            XCTAssertFalse(outcome.error.contains("hunter2"), outcome.error)
        }
    }

    /// Only a sink of this kind needs libcurl; everything else starts without it.
    func testWithoutLibcurl_theSinkReportsWhatToInstall_andTheCommandWorks() async throws {
        var home = try Home()
        try home.configure(
            #"{ sinks: { repository: { use: "http", url: "https://repo.example" } } }"#)
        let libraries = try TemporaryFolder()
        try libraries.write(Array("no library".utf8), to: "libcurl.so.4")
        home.environment["LD_LIBRARY_PATH"] = libraries.path

        let version = try await home.run("--version")
        XCTAssertEqual(version.ending, .exited(0), version.error)

        for command in ["check", "run"] {
            let outcome = try await home.run(command)
            XCTAssertEqual(outcome.ending, .exited(78), outcome.error)
            XCTAssertTrue(
                outcome.error.contains("sinks.repository.url: libcurl.so.4 cannot be loaded"),
                outcome.error)
            XCTAssertTrue(outcome.error.contains("apt-get install libcurl4"), outcome.error)
        }
    }

    func testStopped_whileTheServerIsSilent_endsInTime_andSendsLater() async throws {
        let home = try Home()
        let port = try PseudoTerminal()
        let server = try ScriptedHTTPServer { number, _ in number == 1 ? .silence : .answer() }
        try configure(home, port, server)
        try writeToken(home, "s3cret-token")
        let first = try home.start("run")
        try await server.wait { $0.requests == 1 }
        await first.send(SIGTERM)
        let ending = try await first.waitForEnd(within: 6)
        XCTAssertEqual(ending, .exited(0))
        XCTAssertGreaterThan(try home.ledger().pending(for: "repository"), 0)

        let second = try home.start("run")
        try await server.wait { $0.requests >= 2 }
        try await stop(second)
        XCTAssertEqual(try home.ledger().pending(for: "repository"), 0)
    }

    // MARK: plugins/HTTPSink/README.md

    private func readme() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(
            contentsOf: root.appending(path: "plugins/HTTPSink/README.md"), encoding: .utf8)
    }

    private func blocks(of language: String) throws -> [String] {
        try readme().components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    func testReadme_everyConfigurationIsRight() async throws {
        let blocks = try blocks(of: "json5")
        XCTAssertEqual(blocks.count, 6)
        for block in blocks {
            let home = try Home()
            try home.folder.makeFolder("data/pulsegate")
            for name in ["repo.token", "influx.token", "fhir.token"] {
                let path = try home.folder.write([0x61], to: "data/pulsegate/\(name)")
                XCTAssertEqual(chmod(path, 0o600), 0)
            }
            // Certificates are not this machine's; any file can be read that is not open to others.
            let secret = try home.folder.write([0x61], to: "data/pulsegate/any.pem")
            XCTAssertEqual(chmod(secret, 0o600), 0)
            try home.configure(
                block.replacing("/etc/pulsegate/", with: "/etc/").replacing(
                    /\/etc\/(ca.pem|gateway.pem|gateway.key)/, with: secret))
            let outcome = try await home.run("check")
            XCTAssertEqual(outcome.ending, .exited(0), "\(block)\n\(outcome.error)")
        }
    }

    func testReadme_theServerOfYourOwn_getsTheSamples() async throws {
        let home = try Home()
        let script = try XCTUnwrap(try blocks(of: "python").first)
        let path = try home.folder.write(Array(script.utf8), to: "repository.py")
        let python: InteractiveProgram
        do {
            python = try InteractiveProgram(["python3", path, "0"], environment: home.environment)
        } catch {
            throw XCTSkip("python3 is missing; apt-get install python3")
        }
        try await python.wait(for: "listening on port ")
        let address = "127.0.0.1:\(try await python.wait(for: "\n").dropLast())"
        let sinks = try XCTUnwrap(try blocks(of: "json5").last)
            .replacing("127.0.0.1:8000", with: address)
        let port = try PseudoTerminal()
        try home.configure(
            sinks.replacing(
                /^{/,
                with: """
                    { sources: { foot: { use: "serial", port: { path: "\(port.slavePath)" },
                      protocol: { use: "lines", preset: "steps" } } },
                    """))
        let gateway = try home.start("run")
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        for count in 1...2 { try port.write(Array("Steps: \(count)\r\n".utf8)) }
        try await python.wait(for: " stepCount 1 count\n")
        try await stop(gateway)
    }
}
