import Foundation
import GatewayCore
import GatewayTesting
import Glibc
import HTTPTesting
import HealthModel
import Serial
import XCTest

/// A running gateway with a web server and a pedometer, to see what an attack does to it.
final class WebGateway {
    /// The token of the client `phone`.
    static let token = "0123456789-the-token-of-the-phone"
    /// How much the gateway may have grown by an attack, in kB.
    private static let growthLimit = 30_000

    let home: Home
    let port: UInt16
    let gateway: RunningCommand
    private let pedometer: PseudoTerminal
    private var steps = 1
    private var residentBefore = 0

    /// Starts it.
    ///
    /// - Parameters:
    ///   - settings: Further settings of the web server: `hosts: ["gym.example"]`.
    ///   - people: A section of the configuration: `people: { ada: {} },`.
    ///   - prefix: The words before the command.
    init(
        _ settings: String = "", people: String = "", prefix: [String] = []
    ) async throws {
        home = try Home()
        port = try Self.freePort()
        pedometer = try PseudoTerminal()
        try home.folder.makeFolder("data/pulsegate")
        let file = try home.folder.write(Array(Self.token.utf8), to: "data/pulsegate/phone.token")
        XCTAssertEqual(chmod(file, 0o600), 0)
        try home.configure(
            """
            { \(people) sources: { foot: { use: "serial", port: { path: "\(pedometer.slavePath)" },
                protocol: { use: "lines", preset: "steps" } } }, sinks: { store: "sqlite" },
              services: { web: { use: "web", listen: "127.0.0.1:\(port)",
                tokens: { phone: { file: "phone.token" } }, \(settings) } } }
            """)
        gateway = try home.start("run", prefix: prefix)
        try await gateway.waitForLines(with: "web page", on: .error)
        try await gateway.waitForLines(with: "foot: connected", on: .error)
        try await pedometer.send(Array("Steps: 1\n".utf8))
        try await walk(10)
        try await assertStored()
        residentBefore = try residentKilobytes()
    }

    /// A port that nobody uses at this moment.
    static func freePort() throws -> UInt16 {
        let server = try ScriptedHTTPServer { _, _ in .answer() }
        return try XCTUnwrap(URL(string: server.url("/"))?.port.map { UInt16($0) })
    }

    func connect() throws -> RawHTTPConnection { try RawHTTPConnection(port: port) }

    /// Sends a request on a connection of its own, and returns the response.
    func ask(
        _ method: String, _ target: String, _ headers: String = "Host: localhost\r\n",
        body: String = ""
    ) throws -> RawHTTPConnection.Response {
        let connection = try connect()
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        connection.send("\(method) \(target) HTTP/1.1\r\n\(headers)\(length)\r\n\(body)")
        return try connection.response()
    }

    /// Walks some steps, each a sample.
    func walk(_ count: Int = 1) async throws {
        for _ in 0..<count {
            steps += 1
            try await pedometer.send(Array("Steps: \(steps)\n".utf8))
        }
    }

    /// Asserts that the server answers at once, that no step is lost, and that memory was given back.
    func assertUnharmed(file: StaticString = #filePath, line: UInt = #line) async throws {
        let start = ContinuousClock.now
        XCTAssertEqual(try ask("GET", "/healthz").status, 200, file: file, line: line)
        XCTAssertLessThan(ContinuousClock.now - start, .seconds(5), file: file, line: line)
        try await walk(10)
        try await assertStored(file: file, line: line)
        let growth = try residentKilobytes() - residentBefore
        XCTAssertLessThan(growth, Self.growthLimit, "kB", file: file, line: line)
    }

    /// Asserts that the store has as many steps as were walked.
    private func assertStored(file: StaticString = #filePath, line: UInt = #line) async throws {
        let (port, walked) = (port, steps - 1)
        let areThere = await gateway.waits(within: 60) { _ in Self.stored(port) == walked }
        XCTAssertTrue(
            areThere, "\(String(describing: Self.stored(port))) of \(walked)", file: file,
            line: line)
    }

    private static func stored(_ port: UInt16) -> Int? {
        guard
            let response = try? RawHTTPConnection(port: port).get("/v1/samples?type=stepCount"),
            response.status == 200
        else { return nil }
        return response.body.matches(of: /"value":(\d+)/).reduce(0) { $0 + (Int($1.1) ?? 0) }
    }

    private func residentKilobytes() throws -> Int {
        let text = try String(
            contentsOfFile: "/proc/\(gateway.processID)/status", encoding: .utf8)
        let match = try XCTUnwrap(text.firstMatch(of: /VmRSS:\s+(\d+) kB/))
        return try XCTUnwrap(Int(match.1))
    }

    /// Stops it, and asserts that its books balance.
    func stop() async throws {
        await gateway.send(SIGTERM)
        let ending = try await gateway.waitForEnd(within: 30)
        XCTAssertEqual(ending, .exited(0))
        let ledger = try home.ledger()
        XCTAssertEqual(ledger.imbalances, [])
        XCTAssertEqual(ledger.ingest.unaccepted, 0)
        let stored = try await home.samples(of: .stepCount)
        XCTAssertEqual(stored.reduce(0) { $0 + $1.quantity.value }, Double(steps - 1))
    }
}
