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

    /// A gateway that only shows and takes in what its store has needs no sensor.
    func testServices_withoutASource_run() async throws {
        for sources in ["sources: {}, ", ""] {
            let home = try Home()
            let port = try WebGateway.freePort()
            let services = "services: { web: { use: \"web\", listen: \"127.0.0.1:\(port)\" } }"
            try home.configure("{ \(sources)\(services) }")
            let gateway = try home.start("run")
            try await gateway.waitForLines(with: "web page", on: .error)
            let page = try RawHTTPConnection(port: port)
            page.send("GET /history HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            XCTAssertTrue(try page.readToEnd().hasPrefix("HTTP/1.1 200 "), sources)
            let row = "bodyMass,2026-01-01T07:00:00Z,2026-01-01T07:00:00Z,71,kg\r\n"
            let table = "type,start,end,value,unit\r\n\(row)"
            let upload = try RawHTTPConnection(port: port)
            upload.send(
                "POST /v1/imports?name=a.csv HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/octet-stream\r\nContent-Length: \(table.utf8.count)"
                    + "\r\n\r\n\(table)")
            let answer = try upload.response()
            XCTAssertTrue(answer.body.contains(#""stored":1"#), answer.body)
            try home.configure("{ \(sources) }")
            await gateway.send(SIGHUP)
            // Neither sources nor services: the configuration in force stays.
            if !sources.isEmpty {
                try await gateway.waitForLines(with: "nothing to read", on: .error)
            }
            await gateway.send(SIGTERM)
            let ending = try await gateway.waitForEnd(within: 10)
            XCTAssertEqual(ending, .exited(0))
            let log = await gateway.text(of: .error)
            XCTAssertEqual(log.contains("adopt one"), sources.isEmpty, log)
        }
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
