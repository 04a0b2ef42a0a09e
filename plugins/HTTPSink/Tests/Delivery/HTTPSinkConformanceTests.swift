import GatewayCore
import GatewayTesting
import HTTPTesting
import JSON
import Platform
import XCTest

@testable import HTTPSink

final class HTTPSinkConformanceTests: XCTestCase {
    private static func makeSink(_ url: String, in folder: TemporaryFolder) throws -> any Sink {
        let node = try ConfigurationNode(json5: "{ use: \"http\", url: \"\(url)\" }")
        let context = ComponentContext(
            name: "repository", clock: SystemClock(), log: Logger(component: "test") { _ in },
            dataDirectory: folder.path)
        let object = try node.object(keys: ["use"] + HTTPSink.factory.keys)
        return try HTTPSink.factory.make(object, context)
    }

    func testSink_keepsTheContract() async throws {
        let (folder, repository) = (try TemporaryFolder(), StrictRepository(refusing: []))
        let server = try repository.makeServer()
        let url = server.url("/v1/samples")
        let findings = await SinkConformance.findings(
            stored: { Set(repository.accepted).count },
            makeSink: { try Self.makeSink(url, in: folder) })
        XCTAssertEqual(findings, [])
        withExtendedLifetime(server) {}
    }

    func testSink_ofAServerThatIsDown_keepsTheContract() async throws {
        let folder = try TemporaryFolder()
        let findings = await SinkConformance.findingsWhenUnavailable {
            try Self.makeSink("http://127.0.0.1:1/v1/samples", in: folder)
        }
        XCTAssertEqual(findings, [])
    }

    func testSink_ofAServerThatNeverAnswers_keepsTheContract() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedHTTPServer { _, _ in .silence }
        let url = server.url("/v1/samples")
        let findings = await SinkConformance.findingsWhenSilent {
            try Self.makeSink(url, in: folder)
        }
        XCTAssertEqual(findings, [])
        withExtendedLifetime(server) {}
    }
}
