import Foundation
import GatewayTesting
import Glibc
import HTTPTesting
import XCTest

/// `run --web`, without and with a configured service.
final class WebRunTests: XCTestCase {
    /// A simulation has the configured web server, too, but no other service and no other one beside.
    func testSimulation_hasTheWebServerAsConfigured() async throws {
        let home = try Home()
        let port = try WebGateway.freePort()
        try home.configure(
            """
            { services: { page: { use: "web", listen: "127.0.0.1:\(port)", hosts: ["gym.example"] },
              watch: { use: "rebroadcast", person: "ada" } }, people: { ada: {} } }
            """)
        let gateway = try home.start("run", "--simulate", "--web")
        try await gateway.waitForLines(with: "page: web page", on: .error)
        try await gateway.waitForLines(with: #""type":"heartRate""#, on: .output)
        let connection = try RawHTTPConnection(port: port)
        connection.send("GET /v1/live HTTP/1.1\r\nHost: gym.example\r\n\r\n")
        XCTAssertTrue(try connection.read(until: "event: state\n").hasPrefix("HTTP/1.1 200 "))
        _ = try connection.read(until: #""state":"measured""#)
        await gateway.send(SIGTERM)
        XCTAssertTrue(try connection.readToEnd().contains(#"data: {"reason":"stopping"}"#))
        let ending = try await gateway.waitForEnd(within: 10)
        XCTAssertEqual(ending, .exited(0))
        let log = await gateway.text(of: .error)
        XCTAssertFalse(log.contains("watch"), log)
        XCTAssertEqual(log.components(separatedBy: "web page").count, 2, log)
    }

    func testSimulation_withoutTheOption_hasNoWebServer() async throws {
        let home = try Home()
        let port = try WebGateway.freePort()
        try home.configure(
            "{ services: { web: { use: \"web\", listen: \"127.0.0.1:\(port)\" } } }")
        let outcome = try await home.run(
            "run", "--simulate", until: #""type":"heartRate""#, count: 1)
        XCTAssertEqual(outcome.ending, .exited(0), outcome.error)
        XCTAssertFalse(outcome.error.contains("web page"), outcome.error)
    }
}
