import GatewayCore
import GatewayTesting
import HTTPServer
import HTTPTesting
import JSON
import Platform
import Synchronization
import XCTest

@testable import Web

/// The server keeps the contract of a service.
final class WebServiceTests: XCTestCase {
    /// A server on a free port, which it has another one of in each run.
    private struct FreePortServer: Service {
        let server: WebServer
        let port: @Sendable (UInt16) -> Void

        func run(_ gateway: ServiceAccess) async throws {
            try await server.run(gateway, started: port)
        }
    }

    private func makeServer(_ address: String) throws -> WebServer {
        let context = ComponentContext(
            name: "web", clock: SystemClock(), log: Logger(component: "web") { _ in },
            dataDirectory: "/tmp")
        let object = try ConfigurationNode(json5: "{}").object(keys: WebSettings.keys)
        let read = try WebSettings(object, context)
        return WebServer(
            settings: WebSettings(
                address: try XCTUnwrap(ListenAddress(address)), hosts: read.hosts,
                tokens: read.tokens, hasValuesInMetrics: read.hasValuesInMetrics),
            context: context)
    }

    func testService_keepsTheContract() async throws {
        let port = OpenPort()
        let server = try makeServer("127.0.0.1:0")
        let findings = await ServiceConformance.findings(answering: {
            let response = try RawHTTPConnection(port: port.number).get("/healthz")
            guard response.status == 200 else { throw RawHTTPFailure("\(response.status)") }
        }) { FreePortServer(server: server) { port.set($0) } }
        XCTAssertEqual(findings, [])
    }

    func testService_whoseAddressIsInUse_keepsTheContract() async throws {
        let other = try await RunningWeb.start(FakeGateway { _, _ in })
        let server = try makeServer("127.0.0.1:\(other.port)")
        let findings = await ServiceConformance.findingsWhenUnavailable { server }
        XCTAssertEqual(findings, [])
        try await other.stop()
    }

    /// The port of the newest run.
    private final class OpenPort: Sendable {
        private let state = Mutex(UInt16(0))

        var number: UInt16 { state.withLock { $0 } }

        func set(_ number: UInt16) { state.withLock { $0 = number } }
    }
}
